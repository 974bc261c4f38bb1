"""Static passes over the checked tree."""
