"""What a game declares: decks, table, variables, options, terms, scripts, ways to play."""

from __future__ import annotations

from collections.abc import Callable

from trionfi.dsl.known import Known
from trionfi.dsl.source import Span
from trionfi.dsl.tree import (
    Attribute,
    CardFace,
    CardProperty,
    ChooseOrientation,
    Conditional,
    Deck,
    Define,
    Domain,
    Enumeration,
    Expr,
    KindColumn,
    LetIn,
    Local,
    Mark,
    Measure,
    Node,
    Option,
    Orient,
    Part,
    Procedure,
    Ruleset,
    Shuffle,
    Strategy,
    Variable,
    ZoneFamily,
)
from trionfi.dsl.tree.walk import walk
from trionfi.shell.prose.expressions import constant, define_term, follows_noun, shown
from trionfi.shell.prose.queries import noun_phrase
from trionfi.shell.prose.statements import block_steps, lower
from trionfi.shell.prose.steps import Step
from trionfi.shell.prose.voice import Called, Voice, renders
from trionfi.shell.prose.words import amount, article, cited, human, listed, of, owned, predicate, sentence

__all__ = ["caption", "deck_name"]


def caption(span: Span) -> str:
    """The comment that stands above an entry, as a sentence for readers; empty if there is none, or only a citation."""
    lines: list[str] = []
    for line in range(span.line - 1, 0, -1):
        text = span.source.line_text(line).strip()
        if not text.startswith("#") or text.startswith("# --"):
            break
        lines.insert(0, text.lstrip("# "))
    return cited(" ".join(lines))


# ---- cards


@renders(Deck)
def tell_deck(voice: Voice, node: Deck) -> list[Step]:
    faces = [voice.ruleset.faces[index] for index in range(len(voice.ruleset.faces)) if face_of(voice, index, node)]
    plain = [face for face in faces if face.rank is not None and face.suit is not None]
    named = [face for face in faces if face.rank is None or face.suit is None]
    steps = []
    if plain:
        ranks, suits = words_used(voice, plain, "rank"), words_used(voice, plain, "suit")
        steps.append(Step(f"{len(plain)} cards: {listed(suits)}, in each, from low to high, {listed(ranks)}"))
        if len(ranks) * len(suits) != len(plain):
            steps[-1] = Step(f"{len(plain)} cards of {listed(suits)}, ranked {listed(ranks)}")
    if named:
        names = [voice.say(face) if len(named) == 1 else numbered_face(face) for face in named]
        with_plain = "and " if plain else ""
        steps.append(
            Step(
                f"{with_plain}{len(named)} more: {listed(names)}"
                if plain
                else f"{amount(str(len(named)), 'card')}: {listed(names)}"
            )
        )
    if node.copies is not None:
        steps += copies_steps(voice, node.copies)
    if node.keep is not None and node.keep_card is not None:
        with voice.calling(node.keep_card, Called("it", "its")):
            asked = (
                "Whether a card belongs to the game"
                if isinstance(node.keep, Conditional)
                else "Only cards belong to the game for which"
            )
            steps.append(Step(f"{asked}: {voice.say(node.keep)}"))
    if node.oriented and counts_orientation(voice.ruleset):
        steps.append(Step("Cards lie upright or reversed, and it counts which"))
    return steps


def copies_steps(voice: Voice, copies: Expr) -> list[Step]:
    """How many there are of each card, where that is more than one; a number as the options are set."""
    known = voice.known.value(copies)
    if not Known.is_exact(known):
        return [Step(f"Of each card there are as many as this says: {voice.say(copies)}")]
    return [] if known == 1 else [Step(f"Of each card there are {known}")]


def counts_orientation(ruleset: Ruleset) -> bool:
    """Whether cards are turned, and a rule looks at how they lie; bots and measures are no rules."""
    rules = [ruleset.play, ruleset.rankings, ruleset.totals, ruleset.melds, ruleset.effects, ruleset.won, ruleset.score]
    nodes = list(walk(rules, into=Node))
    return any(map(turns_cards, nodes)) and any(map(looks_at_orientation, nodes))


def turns_cards(node: Node) -> bool:
    return isinstance(node, Orient | ChooseOrientation) or (isinstance(node, Shuffle) and node.rotation is not None)


def looks_at_orientation(node: Node) -> bool:
    return isinstance(node, Attribute | CardProperty) and node.name == "orientation"


def numbered_face(face: CardFace) -> str:
    """`0 The Fool`: a card that bears a number in place of suit and rank."""
    return face.name if face.number is None else f"{face.number} {face.name}"


def face_of(voice: Voice, index: int, deck: Deck) -> bool:
    return voice.ruleset.decks[voice.ruleset.faces[index].deck] is deck


def words_used(voice: Voice, faces: list[CardFace], what: str) -> list[str]:
    members = voice.ruleset.enumerations[what].members
    used = sorted({number for face in faces if (number := getattr(face, what)) is not None})
    return [human(members[number]) for number in used]


def deck_name(node: Deck, only: bool) -> str:
    return "The deck" if only else f"The {human(node.name)} deck"


@renders(CardFace)
def say_card_face(voice: Voice, node: CardFace) -> str:
    return node.name


@renders(Mark)
def say_mark(voice: Voice, node: Mark) -> str:
    kind = voice.ruleset.enumerations[node.type.name]
    words = [shown(kind, place) for place in range(len(kind.members))]
    return f"{human(node.name)}: a card is marked {listed(words, 'or')}, at first {words[node.default]}"


@renders(Enumeration)
def say_enumeration(voice: Voice, node: Enumeration) -> str:
    words = [described(voice, node, place) for place in range(len(node.members))]
    return f"{human(node.name)}: {listed(words, 'or')}"


def described(voice: Voice, node: Enumeration, place: int) -> str:
    """`three tricks (worth 10)`: a word with what it has."""
    values = [(column, column.values[place]) for column in node.columns.values()]
    has = [
        voice.say(column) + ("" if value is True else f" {constant(voice, column.type, value)}")
        for column, value in values
        if value is not False
    ]
    return shown(node, place) + (f" ({', '.join(has)})" if has else "")


@renders(KindColumn)
def say_kind_column(voice: Voice, node: KindColumn) -> str:
    return human(node.name)


# ---- table


@renders(ZoneFamily)
def say_zone_family(voice: Voice, node: ZoneFamily) -> str:
    """`The hand: one for each player, face down; its owner sees it.`"""
    facts = [SHAPES[node.shape](node)]
    facts += [f"one for each {node.per}"] if node.per else []
    facts += (
        [f"the {'whole' if len(voice.ruleset.decks) == 1 else human(node.start)} deck lies here at first"]
        if node.start
        else []
    )
    facts += [f"face {node.face}"] if node.face else []
    facts += ["its owner sees the cards"] if node.seen_by_owner else []
    facts += [f"at most {amount(str(node.capacity), 'card')}"] if node.capacity and node.shape != "row" else []
    facts += ["how many cards there are need not be told"] if not node.counted else []
    facts += review_facts(voice, node)
    if node.when_short is not None and voice.tells_course:
        steps = block_steps(voice, node.when_short.body)
        facts += [f"when it runs short: {'; '.join(lower(step.text) for step in steps)}"]
    return f"{human(node.name)}: {', '.join(fact for fact in facts if fact)}"


def review_facts(voice: Voice, node: ZoneFamily) -> list[str]:
    """What is said where it is not so that everybody may look through what they have seen."""
    allowed = None if node.may_review is None else voice.known.is_true(node.may_review)
    if node.may_review is None or allowed:
        return []
    if allowed is None:
        return [f"it may be looked through later only if {voice.say(node.may_review)}"]
    return ["nobody may look through it later"]


def row_shape(node: ZoneFamily) -> str:
    named = f": {listed([human(name) for name in node.place_names])}" if node.place_names else ""
    return f"a row of {amount(str(node.places), 'place')}{named}"


SHAPES: dict[str, Callable[[ZoneFamily], str]] = {
    "pile": lambda node: "",
    "piles": lambda node: amount(str(node.places), "pile"),
    "row": row_shape,
    "plays": lambda node: "where cards with effects are played",
}


PER = {"spot": "place"}


@renders(Variable)
def say_variable(voice: Voice, node: Variable) -> str:
    """`high: the price, which every player must match; 0 at the start.`"""
    facts = [cited(node.about)] if node.about else []
    owner = human(node.per_kind) if node.per == "kind" else PER.get(node.per, node.per)
    facts += [f"one for each {owner}"] if owner else []
    facts += ["chips"] if node.chips else []
    facts += ["may be below 0"] if node.may_owe else []
    facts += ["its player alone knows it"] if node.secret else []
    if node.start is not None:
        facts.append(f"at the start {voice.say(node.start)}")
    return f"{human(node.name)}: {', '.join(facts)}" if facts else human(node.name)


@renders(Option)
def say_option(voice: Voice, node: Option) -> str:
    """`minimum bet: 2 (1 to 1000000), what it is`: one may type it so, too."""
    default = in_quotes(node, constant(voice, node.type, node.default))
    about = cited(node.about)
    said = f"{human(node.name)}: {default}"
    choices = option_range(voice, node)
    return f"{said}{f' ({choices})' if choices else ''}{f', {about}' if about else ''}"


def in_quotes(node: Option, word: str) -> str:
    """Words of an option may hold an `or` of their own."""
    return f'"{word}"' if node.type.kind == "enum" else word


def option_range(voice: Voice, node: Option) -> str:
    """What else it may be."""
    if node.type.kind == "enum":
        members = voice.ruleset.enumerations[node.type.name].members
        others = [in_quotes(node, human(word)) for place, word in enumerate(members) if place != node.default]
        return f"or {listed(others, 'or')}"
    if node.type.kind == "truth":
        return "yes or no"
    ends = f"{node.low} to {node.high}" if node.low is not None and node.high is not None else ""
    return ends + ("" if node.multiple_of is None else f", in steps of {voice.say(node.multiple_of)}")


# ---- terms and scripts


@renders(Define)
def tell_define(voice: Voice, node: Define) -> list[Step]:
    """`A player's price: ...`, `A card fits if ...`; what players are told where it does not hold."""
    voice.enter(node.locals)
    title = define_title(voice, node)
    is_truth = node.type.kind == "truth"
    steps, body = steps_of(voice, node.body)
    says = f"{title} if " if is_truth else f"{title}: "
    if is_truth and isinstance(body, Conditional):
        says = f"{title}, "
    step = Step(f"{says}{voice.say(body)}", steps)
    reason = node.reason if voice.tells_course else None
    with_reason = [] if reason is None else [Step(f"If not, players are told: {voice.say(reason)}")]
    note = caption(node.span)
    return [step, *([Step(f"({sentence(note)})")] if note else []), *with_reason]


def steps_of(voice: Voice, body: Expr) -> tuple[list[Step], Expr]:
    """What each name of a define's steps stands for, and what the define then gives."""
    steps = []
    while isinstance(body, LetIn):
        whether = "whether " if body.local.type.kind == "truth" else ""
        steps.append(Step(f"{voice.name(body.local).subject}: {whether}{voice.say(body.value)}"))
        body = body.body
    return steps, body


def define_title(voice: Voice, node: Define) -> str:
    names = [voice.name(local).subject for local in node.parameters]
    firsts = [article(names[0]) if names[0].startswith("the ") else names[0], *names[1:]] if names else []
    if node.type.kind == "truth":
        if not names:
            return f'"{human(node.name)}" holds'
        rest = f" {names[1]}" if len(names) > 1 else ""
        return predicate(firsts[0], node.name) + rest + (f" with {listed(names[2:])}" if len(names) > 2 else "")
    name = define_term(node)
    if not names:
        return f"the {name}"
    if follows_noun(node):
        return f"{firsts[0]} {human(node.name)}"
    owner = owned(firsts[0], name) if node.parameters[0].type.kind == "player" else f"the {of(name)} {firsts[0]}"
    return f"{owner} with {listed(names[1:])}" if len(names) > 1 else owner


@renders(Procedure)
def tell_procedure(voice: Voice, node: Procedure) -> list[Step]:
    voice.enter(node.locals)
    return block_steps(voice, node.body)


@renders(Local)
def say_local(voice: Voice, node: Local) -> str:
    return voice.name(node).subject


@renders(Domain)
def say_domain(voice: Voice, node: Domain) -> str:
    return noun_phrase(voice, node, many=True)


@renders(Part)
def say_part(voice: Voice, node: Part) -> str:
    exactly = "" if node.exactly is None else f"exactly {voice.say(node.exactly)} of "
    return exactly + voice.say(node.cards)


@renders(Measure)
def tell_measure(voice: Voice, node: Measure) -> list[Step]:
    voice.enter(node.locals)
    when = f", whenever {human(node.event)} comes" if node.event else ", at the end"
    return [Step(f"Simulations count{when}: {voice.say(node.body)}")]


@renders(Strategy)
def tell_strategy(voice: Voice, node: Strategy) -> list[Step]:
    steps = [Step(node.about)] if node.about else []
    for decision, script in node.scripts.items():
        voice.enter(script.locals)
        steps.append(Step(f"Asked for {human(decision)}", block_steps(voice, script.body)))
    return steps
