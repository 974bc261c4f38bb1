"""Effects: what is read, and what is said of slips in them."""

from __future__ import annotations

import pytest

from trionfi.dsl import read_ruleset
from trionfi.dsl.tree import Effect, Ruleset

GAME = """\
trionfi: 1
name: Small effects
players: 2
deck: {{from: standard, ace: high}}
attributes:
  role: {{choices: [plain, special], default: plain}}
options:
  strict: {{default: false}}
table:
  stock: {{start: deck}}
  common: {{row: 5, face: up}}
  hand: {{per: player, seen_by: owner}}
  field: {{plays: 20, face: up}}
variables:
  points: {{per: player, start: 0}}
play: |
  shuffle stock
  deal 5 from stock to each hand
  deal 5 from stock to common
  repeat 4 times:
    for each player:
      player chooses as action:
        "pass": points_up(player)
        "play {{card}}" for each card in player.hand where playable(player, card):
          player plays card
  trigger counting
procedures:
  points_up(player): add (2 if strict else 1) to player.points
effects:
  king of hearts:
    text: Up to two common cards become hearts.
    targets: 0..2 cards from common
    while in force: each target has suit hearts
    when counting: add 1 to player.points
{effects}
result:
  score(player): player.points
"""
PLAIN = "    targets: 0..2 cards from common"


def read(effects: str = "") -> tuple[Ruleset | None, list[str]]:
    ruleset, found = read_ruleset("game.yaml", GAME.format(effects=effects))
    return ruleset, [f"{one.span.text} > {one.message} [{one.code}]" for one in found]


def effect(name: str, *lines: str) -> str:
    return "\n".join([f"  {name}:", *(f"    {line}" for line in lines)])


def made(*lines: str) -> Effect:
    ruleset, messages = read(effect("queen of spades", *lines))
    assert messages == []
    assert ruleset is not None
    return ruleset.effects[1]


def said(*lines: str) -> list[str]:
    return read(effect("queen of spades", *lines))[1]


def test_an_effect_belongs_to_the_card_so_called() -> None:
    one = made("text: Nothing.")
    assert [one.name, one.text, one.index, len(one.faces)] == ["queen of spades", "Nothing.", 1, 1]


def test_targets_have_names() -> None:
    ruleset, _ = read()
    assert ruleset is not None
    assert [(one.name, one.local.name, one.single) for one in ruleset.effects[0].targets] == [
        ("targets", "targets", False)
    ]
    single = made("targets: 1 play from plays", "negates: target").targets
    assert [(one.name, one.local.name, one.single) for one in single] == [("targets", "target", True)]
    both = made(
        "targets: {becoming: 1 card from common, model: 1 card from common where card is not becoming}",
        "while in force: becoming copies model",
    ).targets
    assert [(one.name, one.single) for one in both] == [("becoming", True), ("model", True)]
    assert ruleset.decisions == ["action", "king of hearts: targets"]


def test_alterations() -> None:
    several = made(
        "targets: 0..2 cards from common",
        "while in force: each target has every suit; each target has no rank if strict; this.card has role special; "
        "each target has rank target.rank.next; each target has rank 2",
    ).alterations
    kinds = [(one.kind, one.what, one.of is not None, one.reads_own, one.condition is not None) for one in several]
    assert kinds == [
        ("every", "suit", True, False, False),
        ("no", "rank", True, False, True),
        ("mark", "", False, False, False),
        ("some", "rank", True, True, False),
        ("some", "rank", True, False, False),
    ]


def test_a_judgement_may_hang_on_an_option() -> None:
    one = made("targets: 1 play from plays where play.card is not none", "negates: target if strict else none")
    assert one.negates is one.targets[0]
    assert one.negates_if is not None
    assert one.lasting


def test_scripts_get_the_names_of_the_effect() -> None:
    one = made(
        "targets: {first_card: 1 card from common, second_card: 1 card from common where card is not first_card}",
        'when played: say "{this} {player} {first_card} {second_card}"',
        "when counting: add 1 to player.points",
    )
    assert one.when_played is not None
    assert [local.name for local in one.when_played.parameters] == ["player", "this", "first_card", "second_card"]
    assert list(one.events) == ["counting"]


SLIPS = [
    (["targets: 0..2 player from players"], "player > an effect is aimed at cards or plays, not at a player [targets]"),
    (
        ["targets: {some: 0..2 cards from common, other: 1 card from common}"],
        "0..2 cards from common > of several targets with names each is one thing [targets]",
    ),
    (["targets: {end: 1 card from common}"], "end > `end` is a word of the language [reserved-word]"),
    (
        [PLAIN.strip(), "while in force: target has suit hearts"],
        "target > `target` is no card that this effect is aimed at",
    ),
    (
        [PLAIN.strip(), "while in force: each card has suit hearts"],
        "card > `each card` is no card that this effect is aimed at",
    ),
    (["while in force: each target has suit hearts"], "target > `each target` is no card that this effect is aimed at"),
    (
        [PLAIN.strip(), "while in force: each target has colour red"],
        "colour > `colour` of a card cannot be altered [alteration]",
    ),
    (
        [PLAIN.strip(), "while in force: each target has every role"],
        "role > a card has every suit or rank, not every `role`",
    ),
    (
        [PLAIN.strip(), "while in force: each target has rank p1.points"],
        "p1.points > `p1.points` may change while the play is in force [alteration-reads]",
    ),
    (
        [PLAIN.strip(), "while in force: each target has suit hearts if p1.points > 3"],
        "p1.points > 3 > whether an alteration counts hangs on options alone [alteration-reads]",
    ),
    (
        [PLAIN.strip(), "while in force: target copies target"],
        "target > `target` is no single card that this effect is aimed at [alteration]",
    ),
    ([PLAIN.strip(), "negates: targets"], "targets > `negates` names plays that the effect is aimed at [names-plays]"),
    (["targets: 1 play from plays", "retargets: plays"], "plays > `retargets` names plays that the effect is aimed at"),
    (
        ["targets: any plays from plays", "becomes: targets"],
        "any plays from plays > one play's text is taken [names-plays]",
    ),
    (
        ["targets: 1 play from plays", "negates: target if p1.points > 2 else none"],
        "p1.points > 2 > whether an effect negates hangs on options alone [names-plays]",
    ),
    (
        ["targets: 1 play from plays", "becomes: target", 'when played: say "so"'],
        "when played > `queen of spades` takes another text, so it has no `when played` of its own [effect-parts]",
    ),
    (['when chosen: say "so"'], "when chosen > `when chosen` belongs to all effects, not to `queen of spades` alone"),
    (["when played: end target"], "end target > `target` cannot be ended [unknown-end]"),
    (["when played: player plays p1.hand.top"], "would call itself: `queen of spades: when played` calls"),
    (["when counting: trigger counting"], "would call itself: `queen of spades: when counting` calls"),
    (
        ["when played: end plays"],
        "`queen of spades: when played` would end all plays while it is being played [ends-itself]",
    ),
    (
        ["targets: 1 play from plays where playable(player, play.effect)", "becomes: target"],
        "what `queen of spades` is aimed at hangs on whether something can be played [asks-itself]",
    ),
    (
        ["targets: 1 card from player.opponent.hand"],
        "`queen of spades: targets` offers the cards of `player.opponent.hand`, which `player` cannot see [hidden-choice]",
    ),
    (["when dealt: add 1 to player.points"], "the event `dealt` is never triggered [unknown-event]"),
    (["when played: target = none"], "there is no variable `target` [unknown-name]"),
    (["text: A play", 'when played: say "{this.tagets}"'], "a play has no `tagets` [unknown-attribute]"),
    (['when counting: add (1 if this.effect is "queen of spaces" else 0) to player.points'], "no effect is called"),
]


@pytest.mark.parametrize(("lines", "message"), SLIPS, ids=[" ".join(lines)[:60] for lines, _ in SLIPS])
def test_slips_are_told(lines: list[str], message: str) -> None:
    found = said(*lines)
    assert any(message in one for one in found), found


def test_no_card_is_called_so() -> None:
    _, messages = read(effect("quen of spades", "text: A slip."))
    assert messages == ["quen of spades > no card of the game is called `quen of spades` [effect-card]"]


def test_only_what_is_chosen_can_be_said_of_each() -> None:
    _, messages = read(effect("each effect", "when chosen: turn up targets", "text: Too much."))
    assert messages == ["text > of each effect only `when chosen` can be said, not `text` [effect-parts]"]


def test_cards_are_played_to_one_field() -> None:
    text = GAME.format(effects="").replace("  field: {plays: 20, face: up}\n", "")
    _, found = read_ruleset("game.yaml", text)
    assert [one.message for one in found] == ["played cards lie in one zone that holds plays, there is none"]
