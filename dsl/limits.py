"""What a ruleset may cost: every limit of reading, checking and playing, each by one name.

They count bytes, nodes and steps, never seconds, so that they are the same on every machine; docs/limits.md has
each with its value and what is said where it is passed. A limit lies far above what rulebooks need, and below
what a computer cannot bear.
"""

from __future__ import annotations

from typing import Final

# ---- reading
MOST_BYTES: Final = 1_000_000  # of all files that a ruleset is made of
MOST_FILES: Final = 100  # that a ruleset is made of
MOST_YAML_DEPTH: Final = 20  # of mappings and lists in one another
MOST_ENTRIES: Final = 5_000  # of one mapping or list
MOST_NODES: Final = 50_000  # texts, lists and mappings of a file
MOST_SLIPS: Final = 20  # that are mended in a file, and in a script, so that the rest can be read
MOST_READ_AGAIN: Final = 500_000  # characters of a script that are read again for the same
MOST_MENDED: Final = 2_000_000  # characters that are read again to mend slips
MOST_MESSAGES: Final = 100  # errors, after which reading stops; and as many warnings
MOST_COMPARED: Final = 1_000  # names among which the one is sought that was meant
MOST_SHOWN: Final = 400  # characters of a message, a hint or a line that is shown

# ---- names and script
MOST_LETTERS: Final = 100  # of a name
MOST_SCRIPT: Final = 200_000  # characters of all script of a ruleset
MOST_NESTED: Final = 64  # parts of script in one another, those of what is called included
ARMS_OF_A_LEVEL: Final = 3  # so many arms of an `if` or of a value with conditions count as one part more
MOST_OPEN: Final = 160  # the same while it is read: of all scripts that wait for what they call
MOST_PARTS: Final = 20_000  # of an expression, with all that it calls written out
MOST_PARTS_OF_SCRIPT: Final = 200_000  # the same of a script
MOST_PARTS_IN_ALL: Final = 1_000_000  # the same of everything together
MOST_WORK: Final = 20_000_000  # the same of an expression, each part as often as queries may come to it
MOST_WORK_OF_SCRIPT: Final = 400_000_000  # of a script, each part as often as queries and `for each` may

# ---- what is tried out before play
MOST_KNOWN: Final = 1_000_000  # steps of working out and running dry; what takes more counts as not known
MOST_FOLLOWED: Final = 200_000  # steps of following who sees what
MOST_TRIED: Final = 5_000_000  # parts of conditions, each in all cases; what takes more counts as well made
MOST_CASES: Final = 20_000  # of what conditions ask, to say whether one of them always holds
MOST_PLAYED: Final = 2_000_000  # steps and options of random games, after which no other is tried
MOST_SETS: Final = 1 << 17  # of cards that a decision may choose among

# ---- the table
MOST_PLAYERS: Final = 60
MOST_PLACES: Final = 1000  # of a row; piles
MOST_PLAYS: Final = 250  # at a time: each that is made looks at all
MOST_JOKERS: Final = 8  # of a deck
MOST_CARDS: Final = 4096  # of a game, copies included
MOST_CARDS_OF_HAND: Final = 20  # of a ranking
MOST_MEASURES: Final = 500
MOST_THINGS: Final = 4  # that one line of a menu is about

# ---- playing
MOST_DECISIONS: Final = 1_000_000  # of one game
MOST_STATEMENTS: Final = 1_000_000  # steps without a decision: of loops, and of hands that are tried
PARTS_OF_A_STEP: Final = 250  # of a pass of a loop: so much work counts as one statement more
HANDS_OF_A_STEP: Final = 5  # so many hands that may have to be tried count as one step more
SUMS_OF_A_STEP: Final = 200_000  # the same of sums of cards that may have to be compared
WAYS_OF_A_STEP: Final = 10  # of ways to make melds
PARTINGS_OF_A_STEP: Final = 100  # of steps of parting cards into melds
MOST_LOGGED: Final = 500_000  # lines of a log, and parts of text in them: what is older is forgotten
MOST_AIMED: Final = 1000  # things that all plays together are aimed at
MOST_OPTIONS: Final = 1 << 16  # of one menu
MOST_IN_LABEL: Final = 4096  # values in a label: cards one by one
MOST_LETTERS_OF_MENU: Final = 4_000_000  # of all options together
MOST_IN_RANGE: Final = 1 << 16  # numbers that a query, a choice with a condition or a line of a menu goes over
MOST_NUMBERS: Final = (1 << 32) - 1  # to choose from: so many can be drawn from at random
MOST_HANDS: Final = 200_000  # that a ranking may have to choose among
MOST_WILD_HANDS: Final = 10_000  # the same where cards are wild
MOST_SUMS: Final = 4096  # different ones that a total tells of some cards
MOST_MELDS: Final = 1024  # of some cards that are parted
MOST_MELD_WAYS: Final = 100_000  # to make melds of some cards
MOST_PARTINGS: Final = 250_000  # steps of trying how cards are parted into melds
