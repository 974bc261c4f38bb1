"""Card effects: the model of plays."""
