"""Options and library parameters: what they may be, and what they are set to."""

from __future__ import annotations

import re
from collections.abc import Mapping as Given
from fractions import Fraction

from trionfi.dsl.check import slots
from trionfi.dsl.check.context import Context, Frame
from trionfi.dsl.check.fields import entries, like_truth, missing, number_range, one_of, text, words, wrong
from trionfi.dsl.check.variables import kind_type
from trionfi.dsl.diagnostics import Diagnostic, RulesError, declare_codes, did_you_mean
from trionfi.dsl.known import UNKNOWN, Known
from trionfi.dsl.library import Draft, Parameter
from trionfi.dsl.nodes import Mapping, Node, Scalar
from trionfi.dsl.numbers import HIGHEST, LOWEST, read_whole, shortened
from trionfi.dsl.tree import Const, Expr, Option, Ruleset
from trionfi.dsl.types import FRACTION, NUMBER, TRUTH, Type

declare_codes(
    {
        "option-value": "An option takes one of its choices, or a value of its kind within its range.",
        "no-such-option": "Only options that the ruleset declares can be set.",
        "option-multiple": "An amount is a multiple of what its option says, zero included.",
        "parameter-value": "A parameter is bound to an option, a number, a word or a define, all of one kind with it.",
    }
)

_RATIO = re.compile(r"([0-9]+)(?:\s*[:/]\s*([1-9][0-9]*))?")
_WHOLE = re.compile(r"-?[0-9]+")
_TRUTHS = {"true": True, "false": False}
# after a message; not 0, by which nothing can be divided
_NOTHING: dict[str, object] = {"enum": 0, "number": 1, "truth": False, "fraction": Fraction(1)}
_KINDS = {"number": NUMBER, "truth": TRUTH, "ratio": FRACTION}


# ---- declaring


def declare_options(context: Context, section: Node | None) -> dict[str, Option]:
    """The options of a game, in the order of the text. `multiple_of` is read later (`check_multiples`)."""
    options: dict[str, Option] = {}
    for entry in entries(section):
        name = entry.key.text
        option = _option(context, name, entry.key, entry.value, len(options))
        if option is not None and context.names.declare(name, option, entry.key.span):
            options[name] = option
    return options


def _option(context: Context, name: str, key: Scalar, node: Node, index: int) -> Option | None:
    if not isinstance(node, Mapping):
        wrong(context, node, f"the option `{name}` is a mapping such as `{{default: true}}`")
        return None
    default = node.get("default")
    written = default.text.strip() if isinstance(default, Scalar) else ""
    type = _type_of(context, name, node, written)
    if type is None:
        return None
    option = Option(name, type, _NOTHING[type.kind], key.span, index=index)
    option.about = text(context, node.get("about"), "`about`")
    if (limits := node.get("range")) and type == NUMBER:
        option.low, option.high = number_range(context, limits, f"the range of `{name}`") or (None, None)
    if default is None:
        missing(context, node, name, "default")
        return option
    value = read_value(option, written, context.members(type))
    if isinstance(value, str):
        wrong(context, default, value, _value_hint(option, written, context.members(type)))
    else:
        option.default = value
    return option


def _type_of(context: Context, name: str, node: Mapping, default: str) -> Type | None:
    """An enumeration if there are choices, else what `kind` says, else what the default looks like."""
    if choices := node.get("choices"):
        members = [choice.text.strip() for choice in words(context, choices, f"the choices of `{name}`")]
        return context.enumeration(name, members, choices.span) if members else None
    kind = one_of(context, node.get("kind"), f"the kind of `{name}`", list(_KINDS))
    if kind:
        return _KINDS[kind]
    if default in _TRUTHS or (like_truth(default) and not node.get("range")):
        return TRUTH
    return NUMBER


def note_parents(options: dict[str, Option], section: Node | None, context: Context) -> None:
    """What an option is in the parent of a variant, where that has it."""
    for entry in entries(section):
        option = options.get(entry.key.text)
        default = entry.value.get("default") if isinstance(entry.value, Mapping) else None
        if option is not None and isinstance(default, Scalar):
            value = read_value(option, default.text.strip(), context.members(option.type))
            option.in_parent = option.default if isinstance(value, str) else value


def check_multiples(context: Context, section: Node | None, options: dict[str, Option]) -> None:
    """Reads `multiple_of`, once all names are known."""
    for entry in entries(section):
        slot = entry.value.get("multiple_of") if isinstance(entry.value, Mapping) else None
        if isinstance(slot, Scalar) and entry.key.text in options:
            options[entry.key.text].multiple_of = slots.expression(context, slot, Frame(context), NUMBER)


# ---- parameters of libraries


def bind_parameters(context: Context, draft: Draft) -> None:
    """Gives each parameter of a used library the expression that stands for it there. All names are known by now."""
    for parameter in draft.parameters:
        type = _parameter_type(context, parameter)
        slot = parameter.bound or parameter.declaration.get("default")
        if type is None or type.kind not in _NOTHING:
            continue
        value = _bound_value(context, parameter, slot, type) if isinstance(slot, Scalar) else None
        value = value or Const(type, parameter.span, _NOTHING[type.kind])
        context.names.parameters.setdefault(parameter.declaration.span.source, {})[parameter.name] = value


def _parameter_type(context: Context, parameter: Parameter) -> Type | None:
    declaration = parameter.declaration
    if choices := declaration.get("choices"):
        members = [choice.text.strip() for choice in words(context, choices, f"the choices of `{parameter.name}`")]
        return context.enumeration(parameter.name, members, choices.span) if members else None
    kind = text(context, declaration.get("kind"), "`kind`")
    if kind in _KINDS:
        return _KINDS[kind]
    if kind:
        return kind_type(context, declaration.get("kind") or declaration)
    default = declaration.get("default")
    return TRUTH if isinstance(default, Scalar) and default.text.strip() in _TRUTHS else NUMBER


def _bound_value(context: Context, parameter: Parameter, slot: Scalar, type: Type) -> Expr | None:
    frame = Frame(context)
    value = slots.expression(context, slot, frame, type)
    if value is not None and frame.locals:
        message = f"`{parameter.name}` is bound to something simple, not to a query"
        context.diagnostics.error("parameter-value", message, slot.span, "write a define and name it here")
        return None
    return value


# ---- setting


def option_value(rules: Ruleset, option: Option, given: object) -> object | Diagnostic:
    """A value for an option (a text as on the command line, or a Python value) as the option's own type has it: a
    number, a truth, a `Fraction`, or the number of a choice. What does not do gives a Diagnostic at the option."""
    enumeration = rules.enumerations.get(option.type.name)
    members = enumeration.members if enumeration and option.type.kind == "enum" else []
    written = as_written(given)
    value = read_value(option, written, members)
    if isinstance(value, str):
        return Diagnostic("option-value", value, option.span, "error", _value_hint(option, written, members))
    return value


def set_options(rules: Ruleset, given: Given[str, object]) -> dict[str, object]:
    """All options by name, with the defaults of those that are not given. Raises RulesError for what cannot be set."""
    problems: list[Diagnostic] = []
    values = {name: option.default for name, option in rules.options.items()}
    for name, value in given.items():
        option = rules.options.get(name)
        if option is None:
            hint = did_you_mean(name, rules.options)
            message = f"there is no option `{name}`"
            problems.append(Diagnostic("no-such-option", message, rules.sources[0], "error", hint))
            continue
        found = option_value(rules, option, value)
        if isinstance(found, Diagnostic):
            problems.append(found)
        else:
            values[name] = found
    problems += [] if problems else wrong_multiples(rules.options, values)
    if problems:
        raise RulesError(problems)
    return values


def wrong_multiples(options: dict[str, Option], values: dict[str, object]) -> list[Diagnostic]:
    """What is not a multiple of what it should be."""
    known = Known(options={option: values[name] for name, option in options.items()})
    found = []
    for name, option in options.items():
        unit = known.value(option.multiple_of) if option.multiple_of else UNKNOWN
        amount = values[name]
        if isinstance(unit, int) and isinstance(amount, int) and unit > 0 and amount % unit:
            message = f"`{name}` is a multiple of {unit}, not {amount}"
            found.append(Diagnostic("option-multiple", message, option.span, "error", _nearest_multiples(amount, unit)))
    return found


def _nearest_multiples(amount: int, unit: int) -> str:
    below = amount // unit * unit
    return f"try {below} or {below + unit}"


def as_written(given: object) -> str:
    """A Python value as it would be written in a ruleset."""
    if isinstance(given, bool):
        return str(given).lower()
    if isinstance(given, Fraction):
        return f"{given.numerator}:{given.denominator}"
    if isinstance(given, int) and given.bit_length() > 64:
        return "1" * given.bit_length()  # it is refused anyway, and Python does not write thousands of digits
    return str(given).strip()


def read_value(option: Option, written: str, members: list[str]) -> object:
    """The value that a text means for an option, or what is wrong with it, as a sentence."""
    if option.type.kind == "enum":
        if written in members:
            return members.index(written)
        return f"`{option.name}` is one of {', '.join(members)}, not `{written}`"
    if option.type == TRUTH:
        if written in _TRUTHS:
            return _TRUTHS[written]
        return f"`{option.name}` is `true` or `false`, not `{written}`"
    if option.type == FRACTION:
        if match := _RATIO.fullmatch(written):
            return _read_ratio(option, match[1], match[2] or "1")
        return f"`{option.name}` is a ratio such as `3:2`, not `{written}`"
    return _read_number(option, written)


def _read_number(option: Option, written: str) -> object:
    if not _WHOLE.fullmatch(written):
        return f"`{option.name}` is a whole number, not `{written}`"
    value = read_whole(written)
    if value is None:
        return _too_large(option, written)
    if option.low is not None and option.high is not None and not option.low <= value <= option.high:
        return f"`{option.name}` is from {option.low} to {option.high}, not {value}"
    return value


def _read_ratio(option: Option, over: str, under: str) -> object:
    numbers = read_whole(over), read_whole(under)
    if numbers[0] is None or numbers[1] is None:
        return _too_large(option, max(over, under, key=len))
    return Fraction(numbers[0], numbers[1])


def _too_large(option: Option, written: str) -> str:
    return f"`{option.name}` has at most 64 bits, from {LOWEST} to {HIGHEST}; {shortened(written)} has more"


def _value_hint(option: Option, written: str, members: list[str]) -> str:
    if option.type.kind == "enum":
        return did_you_mean(written, members)
    if option.type == TRUTH:
        return like_truth(written)
    digits = written.replace("_", "").replace(",", "")
    return f"write `{digits}`" if option.type == NUMBER and digits != written and _WHOLE.fullmatch(digits) else ""
