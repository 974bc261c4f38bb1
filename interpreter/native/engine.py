"""Compiling a ruleset: lowered, optimised, kept on disk, and callable.

Code is made module by module, each when it is first wanted (`Use`). A module serves all seat counts and all options
but those that its cards, rankings and totals are made from.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from llvmlite import ir

from trionfi.core.desugar import desugar
from trionfi.core.passes import called_from, prepared
from trionfi.core.passes.dead import silenced
from trionfi.dsl import tree
from trionfi.dsl.tree.walk import scripts, walk
from trionfi.interpreter.native import kernels
from trionfi.interpreter.native.body import Body
from trionfi.interpreter.native.builder import I64, POINTER, declared, function, number
from trionfi.interpreter.native.emission.emitter import silent
from trionfi.interpreter.native.emission.entry import write_game
from trionfi.interpreter.native.emission.expressions import value_of
from trionfi.interpreter.native.emission.strategies import write_advise
from trionfi.interpreter.native.kept import load_object, module_key, save_object
from trionfi.interpreter.native.layout import ASKING, FAILED, OVER, RUNNING, Layout
from trionfi.interpreter.native.measures import write_add_game
from trionfi.interpreter.native.module import Build, Made
from trionfi.interpreter.once import made_once, made_property

if TYPE_CHECKING:
    from trionfi.interpreter.hands.patterns import Patterns
    from trionfi.interpreter.native.hands.cards import AlteredCodes
    from trionfi.interpreter.native.hands.evaluator import Evaluator

__all__ = ["NativeCode", "Site", "Use", "structural_options"]


class Use(Enum):
    """What a module is for. Strategies have modules of their own: they are long, and few games are played by them."""

    STEP = "step"  # begin, step and labels: a game decision by decision
    ADVICE = "advice"  # advise: what a strategy picks in a game of STEP
    PLAYOUT = "playout"  # playout: plays and adds up whole games
    PLAYOUT_OF_STRATEGIES = "playout of strategies"  # the same, where seats may have strategies

    @property
    def watched(self) -> bool:
        return self in (Use.STEP, Use.ADVICE)

    @property
    def strategies(self) -> bool:
        return self in (Use.ADVICE, Use.PLAYOUT_OF_STRATEGIES)


@dataclass(frozen=True, slots=True)
class Site:
    """What is kept of a place that asks: its kind and name, its node's number, how many words the values of a label
    take at most (0: labels are as written)."""

    kind: str
    name: str
    node: int
    words: int


@dataclass(slots=True)
class Loaded:
    """A module in memory: the size of its record, its places that ask, its functions' addresses."""

    record_size: int
    entries_offset: int
    sites: list[Site]
    address: Callable[[str], int]
    keep: Any  # what must live as long as the code: each function that can be called holds it, too

    def function(self, name: str, result: Any, *kinds: Any) -> Any:
        return callable_at(self.address(name), self.keep, result, *kinds)

    def builtin(self, name: str) -> Any:
        return builtin_at(self.address(f"{name}_for_python"), self.keep, name)


def structural_options(rules: tree.Ruleset) -> list[str]:
    """The options that cards, rankings and totals are made from: constants of a module."""
    found: dict[str, None] = {}
    roots: list[object] = [[deck.keep, deck.copies] for deck in rules.decks]
    roots += [*rules.rankings.values(), *rules.totals.values(), *rules.melds.values()]
    for node in walk(roots, into=tree.Node):
        if isinstance(node, tree.OptionValue):
            found[node.option.name] = None
    return list(found)


def asking_nodes(rules: tree.Ruleset) -> list[tree.Statement | tree.Targets]:
    """Every statement that asks, and all targets of effects, in an order that follows from the text alone."""
    kinds = (tree.Choose, tree.ChooseNumber, tree.ChooseOrientation, tree.Menu, tree.Targets)
    return [node for node in walk(scripted(rules), into=tree.Node) if isinstance(node, kinds)]


def turns_cards(rules: tree.Ruleset) -> bool:
    """Whether a card may come to lie reversed."""
    return any(
        isinstance(node, tree.Orient | tree.ChooseOrientation)
        or (isinstance(node, tree.Shuffle) and node.rotation is not None)
        for node in walk(scripted(rules), into=tree.Node)
    )


def scripted(rules: tree.Ruleset) -> list[tree.Node]:
    """All scripts of the game itself, strategies not among them, and all that effects hold."""
    return [*scripts(rules), *rules.effects]


class NativeCode:
    """The native code of a ruleset under given structural options.

    `copies`: how many copies each deck has. `evaluator` makes a ranking ready for the cards; `melds` tells the facts
    of melds that hold under the options.
    """

    def __init__(
        self,
        rules: tree.Ruleset,
        fixed: Mapping[str, object],
        copies: Mapping[str, int],
        evaluator: Callable[[tree.PatternRanking], Evaluator],
        melds: Callable[[tree.MeldSpec], Patterns],
        altered: AlteredCodes | None = None,
    ) -> None:
        self.rules, self.fixed, self.copies, self.evaluator, self.melds = rules, fixed, copies, evaluator, melds
        self.altered = altered
        self.layout = Layout(rules, copies)
        self._loaded: dict[Use, Loaded] = {}

    @made_property
    def nodes(self) -> list[tree.Statement | tree.Targets]:
        return asking_nodes(self.rules)

    def module(self, use: Use) -> Loaded:
        return made_once(self._loaded, use, lambda: self._load(use))

    def _load(self, use: Use) -> Loaded:
        key = module_key(self.rules, self.fixed, self.copies, f"{use.value}, {self.level(use)}")
        found = load_object(key)
        if found is None:
            found = self._compile(use)
            save_object(key, *found)
        notes, code = found
        address, keep = link(code)
        sites = [Site(*site) for site in notes["sites"]]
        return Loaded(notes["record"], notes["entries"], sites, address, keep)

    def level(self, use: Use) -> int:
        """How much LLVM does for a module (`emit`): whole games are to be fast, single steps soon ready."""
        return 1 if use.watched else 2

    def _compile(self, use: Use) -> tuple[dict[str, Any], bytes]:
        with uncollected():
            build = self.lower(use)
        numbers = {id(node): index for index, node in enumerate(self.nodes)}
        notes = {
            "record": build.record_size,
            "entries": build.layout["offered things"].offset,
            "sites": [[s.kind, s.name, numbers[id(s.node)], s.words] for s in build.sites],
        }
        return notes, emit(str(build.module), self.level(use), build.seldom, bool(self.rules.melds))

    def lower(self, use: Use) -> Build:
        """The module before it is optimised."""
        build = Build(self.rules, self.fixed, Layout(self.rules, self.copies), use.watched, use.strategies)
        build.evaluators, build.melds, build.altered = self._evaluator_of({}), self.melds, self.altered
        build.value_of = value_of
        program = silenced(called_from(desugar(self.rules), use.strategies), silent(build))
        program = prepared(program, self.rules)
        made, finish = write_game(build, program)
        if not use.watched:
            write_playout(build, made, finish)
        elif use is Use.STEP:
            go_on = write_go_on(build, made, finish)
            for entry in (write_begin(build, made, go_on), write_step(build, go_on)):
                write_for_python(build, entry)
        build.finish()
        if use is Use.ADVICE:
            # the record is that of STEP by now; what LLVM finds nobody to call, it throws away
            write_advise(build, program)
            assert build.layout.end == build.record_size, "strategies keep nothing in the record"
        return build

    def _evaluator_of(self, known: dict[str, Evaluator]) -> Callable[[tree.PatternRanking], Evaluator]:
        def find(ranking: tree.PatternRanking) -> Evaluator:
            if ranking.name not in known:
                known[ranking.name] = self.evaluator(ranking)
            return known[ranking.name]

        return find


@contextmanager
def uncollected() -> Iterator[None]:
    """No garbage is collected meanwhile: a module while it is written is a hundred thousand objects, and all are
    needed to its end."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


# ---- entries


def write_begin(build: Build, play: Made, go_on: ir.Function) -> ir.Function:
    """begin(state, mixed seed, game): a new game up to its first decision; gives what `step` gives."""
    with function(build.module, "begin", I64, [POINTER, I64, I64], internal=False) as code:
        f = Body(build, code)
        state, seed, game = code.arguments
        code.call(kernels.open_streams(build), [state, seed, game, f.seats])
        if play.resume is not None:
            code.store(I64, number(0), code.at(state, play.resume.offset))
        code.give(code.call(go_on, [state]))
    return code.function


def write_step(build: Build, go_on: ir.Function) -> ir.Function:
    """step(state, option): takes an option and plays on to the next decision.

    Gives a word: the status in bits 0 and 1; of a decision the seat from bit 8, the place that asks from 16, and from
    32 the lines that are offered, where they say all.
    """
    with function(build.module, "step", I64, [POINTER, I64], internal=False) as code:
        f = Body(build, code)
        f.set_field("choice", code.arguments[1])
        code.give(code.call(go_on, [f.state]))
    return code.function


def write_for_python(build: Build, called: ir.Function) -> None:
    """NAME_for_python(self, arguments, count): a function of whole numbers as CPython's own functions are called
    (METH_FASTCALL), which takes a fifth of the time that ctypes takes."""
    kinds = [POINTER, POINTER, I64]
    as_number = declared(build.module, "PyLong_AsUnsignedLongLongMask", ir.FunctionType(I64, [POINTER]))
    from_number = declared(build.module, "PyLong_FromLongLong", ir.FunctionType(POINTER, [I64]))
    with function(build.module, f"{called.name}_for_python", POINTER, kinds, internal=False) as code:
        values = []
        for place, kind in enumerate(called.function_type.args):
            item = code.builder.load(code.at(code.arguments[1], place, 8), typ=POINTER)
            value = code.call(as_number, [item])
            values.append(code.builder.inttoptr(value, POINTER) if kind is POINTER else value)
        code.give(code.call(from_number, [code.call(called, values)]))


def write_go_on(build: Build, play: Made, finish: ir.Function) -> ir.Function:
    with function(build.module, "go_on", I64, [POINTER]) as code:
        f = Body(build, code)
        b = code.builder
        f.set_field("status", RUNNING)
        code.call(play.function, [f.state])
        status = f.field("status")
        ended = code.either(code.compare("==", status, RUNNING), code.compare("==", status, OVER))
        with code.when(code.both(ended, code.compare("==", f.field("error"), 0))):
            f.set_field("status", OVER)
            code.call(finish, [f.state])
        # a script goes on a little way after an error, and may even come to its end
        with code.when(code.compare("!=", f.field("error"), 0), likely=False):
            f.set_field("status", FAILED)
        with code.when(code.compare("==", f.field("status"), ASKING)):
            word = number(ASKING)
            for name, shift in (("player", 8), ("site", 16), ("lines", 32)):
                word = b.or_(word, b.shl(f.field(name), number(shift)))
            code.give(word)
        code.give(f.field("status"))
    return code.function


def write_playout(build: Build, play: Made, finish: ir.Function) -> None:
    """Gives -1, or the number of the game that stopped with an error."""
    add_game = write_add_game(build)
    kinds = [POINTER, POINTER, I64, I64, I64]
    with function(build.module, "playout", I64, kinds, internal=False) as code:
        f = Body(build, code)
        state, template, seed, first, count = code.arguments
        with code.count(count) as index:
            code.copy(state, template, build.layout.core_size)
            game = code.add(first, index)
            code.call(kernels.open_streams(build), [state, seed, game, f.seats])
            code.call(play.function, [state])
            for step in (finish, add_game):
                with code.when(code.compare("!=", f.field("error"), 0), likely=False):
                    code.give(game)
                code.call(step, [state])
        code.give(number(-1))


# ---- LLVM


# A module of more lines is compiled more plainly, or authors would wait.
LARGE = 8_000
# One of more than this is compiled as it stands: LLVM's time grows faster than a function does.
HUGE = 50_000


def target_machine(level: int) -> Any:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_default_triple()
    return target.create_target_machine(
        cpu=binding.get_host_cpu_name(), features=binding.get_host_cpu_features().flatten(), opt=level, jit=True
    )


def emit(text: str, level: int, seldom: Collection[str] = (), unrolled: bool = False) -> bytes:
    """Machine code of a module's text; `seldom`: functions that may be slow if the module is large; `unrolled`: loops
    are worth their place, as those over all melds.

    Levels 1 to 3 are LLVM's; 0 is the text as it stands, in a tenth of the time.
    """
    from llvmlite import binding

    lines = text.count("\n")
    large = lines > LARGE
    level = 0 if lines > HUGE else min(level, 1) if large else level
    machine = target_machine(level)
    module = binding.parse_assembly(text)
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    module.verify()
    if level == 0:
        return bytes(machine.emit_object(module))
    tuning = binding.create_pipeline_tuning_options(speed_level=level)
    # loops over cards and seats are short: written several times they are slower, and take LLVM half of its time
    tuning.loop_unrolling = tuning.loop_interleaving = unrolled and not large
    tuning.loop_vectorization = tuning.slp_vectorization = unrolled and not large
    if large:
        for name in seldom:
            for attribute in ("noinline", "optnone"):
                module.get_function(name).add_function_attribute(attribute)
        for name in set(short_functions(text)) - set(seldom):
            module.get_function(name).add_function_attribute("alwaysinline")
    passes = binding.create_pass_builder(machine, tuning)
    used = binding.create_new_module_pass_manager()
    used.add_global_dead_code_eliminate_pass()
    for step in (used, short_pipeline() if large else passes.getModulePassManager()):
        step.run(module, passes)
    return bytes(machine.emit_object(module))


def short_pipeline() -> Any:
    """What pays most of LLVM's passes: a third of the time of its own pipeline, for code a tenth slower at most. Its
    value numbering is not among them: where hundreds of loops stand behind one another it ends the process."""
    from llvmlite import binding

    steps = binding.create_new_module_pass_manager()
    steps.add_always_inliner_pass()
    steps.add_global_dead_code_eliminate_pass()
    steps.add_sroa_pass()
    steps.add_simplify_cfg_pass()
    steps.add_instruction_combine_pass()
    steps.add_jump_threading_pass()
    steps.add_dead_store_elimination_pass()
    steps.add_simplify_cfg_pass()
    steps.add_instruction_combine_pass()
    return steps


SHORT = 150  # lines that a function may take at all its calls together


def short_functions(text: str) -> Iterator[str]:
    """The functions that had better stand where they are called, since there is no room to ask LLVM."""
    for part in text.split("\ndefine internal ")[1:]:
        head, _, body = part.partition("\n")
        name = head.split('@"', 1)[1].split('"', 1)[0]
        calls = text.count(f'@"{name}"(') - 1
        if not {"noinline", "alwaysinline"} & set(head.split()) and body.count("\n") * calls < SHORT:
            yield name


def link(code: bytes) -> tuple[Callable[[str], int], Any]:
    """Puts machine code where it can be called."""
    from llvmlite import binding

    empty = binding.parse_assembly("")
    engine = binding.create_mcjit_compiler(empty, target_machine(1))
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine.get_function_address, engine


def callable_at(address: int, keep: Any, result: Any, *kinds: Any) -> Any:
    """A function of machine code, which `keep` keeps in memory; it is called without Python's lock."""
    function: Any = ctypes.CFUNCTYPE(result, *kinds)(address)
    function.keep = keep
    return function


class MethodDef(ctypes.Structure):
    """CPython's PyMethodDef, part of its stable interface."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("code", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


METH_FASTCALL = 0x0080
DEFINITIONS: list[MethodDef] = []  # must live as long as their functions


def builtin_at(address: int, keep: Any, name: str) -> Any:
    """A function that takes and gives whole numbers, called as CPython calls its own (`write_for_python`). What keeps
    its code in memory is its `self`."""
    definition = MethodDef(name.encode(), address, METH_FASTCALL, None)
    DEFINITIONS.append(definition)
    make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(
        ("PyCFunction_NewEx", ctypes.pythonapi)
    )
    return make(ctypes.addressof(definition), keep, None)
