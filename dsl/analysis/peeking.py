"""Strategies read only what their player is sure to know: a bot that reads more plays better than anybody may.

Whatever a script reads is looked at, also what it keeps and does not use. A card that lies face down, in another's
hand, in a variable or among the targets of a play may be asked for behind `card.face is up`.
"""

from __future__ import annotations

from dataclasses import replace

from trionfi.dsl.analysis.knowledge import RULES, Chooser, Follower, Rules, follow_scripts
from trionfi.dsl.analysis.sight import NONE, Scene, SecretSource
from trionfi.dsl.diagnostics import Diagnostic, Diagnostics, declare_codes
from trionfi.dsl.source import Span
from trionfi.dsl.tree import (
    Assign,
    Change,
    Expr,
    ForCount,
    ForEach,
    If,
    LocalValue,
    Pick,
    Procedure,
    RepeatTimes,
    RepeatUntil,
    Ruleset,
    While,
    ZoneFamily,
)

declare_codes({"strategy-peeks": "A strategy asks for nothing that its player cannot know."})


def check_peeking(rules: Ruleset, diagnostics: Diagnostics) -> None:
    tops_up: set[ZoneFamily] = set()
    if rules.strategies:
        follow_scripts(rules, tops_up)
    for strategy in rules.strategies.values():
        for script in strategy.scripts.values():
            scene = Scene(rules.players, tops_up=tops_up, strict=True, alters=bool(rules.effects))
            for one in _Watcher(scene).watch(strategy.name, script):
                diagnostics.add(one)


class _Watcher(Follower):
    """Follows the script of a strategy, in a game of which nothing has been shown to its player alone."""

    chooser_of_all: Chooser

    @property
    def rules(self) -> Rules:
        return _RULES

    def watch(self, strategy: str, script: Procedure) -> list[Diagnostic]:
        player = script.locals[0]
        expr = LocalValue(player.type, player.span, player)
        sight = self.scene.sight(expr)
        self.scene.locals[player] = replace(sight, value=NONE)
        self.chooser_of_all = Chooser(expr, sight.owner, strategy, NONE)
        self.block(script.body)
        return self.found

    def asks(self, *asked: Expr | None) -> None:
        for expr in asked:
            if expr is not None:
                self.ask(self.chooser_of_all, self.scene.value(expr), expr.span)

    def follow_pick(self, one: Pick) -> None:
        self.asks(one.value, one.thing)
        for expr in (one.value, one.thing):
            if expr is not None and expr.type.kind == "card":
                self.ask(self.chooser_of_all, self.scene.look(self.scene.sight(expr)), expr.span)

    def watch_assign(self, one: Assign) -> None:
        self.asks(one.value)
        self.follow_assign(one)

    def watch_change(self, one: Change) -> None:
        self.asks(one.amount)
        self.follow_change(one)

    def watch_if(self, one: If) -> None:
        self.asks(*(condition for condition, _ in one.arms))
        self.follow_if(one)

    def watch_loop(self, one: While | RepeatUntil) -> None:
        self.asks(one.condition)
        self.follow_loop(one)

    def watch_times(self, one: RepeatTimes) -> None:
        self.asks(one.amount)
        self.follow_loop(one)

    def watch_count(self, one: ForCount) -> None:
        self.asks(one.low, one.high, *([one.step] if one.step is not None else []))
        self.follow_for_count(one)

    def watch_each(self, one: ForEach) -> None:
        """Which things there are, and for which of them `where` holds."""
        where = one.domain.where
        asked = self.scene.within(one.domain)[2]
        self.ask(self.chooser_of_all, asked, where.span if where is not None else one.domain.span)
        self.follow_for_each(one)

    def told(self, chooser: Chooser, secret: SecretSource, at: Span, offered: bool) -> Diagnostic:
        message = f"`{chooser.decision}` hangs on `{secret.what.text}`, which `{chooser.name}` cannot see"
        hint = "ask `card.face is up` beside it, or keep what the player has seen in a variable of `secret: owner`"
        return Diagnostic("strategy-peeks", message, at, "error", hint)


_RULES: Rules = {
    **RULES,
    Assign: _Watcher.watch_assign,
    Change: _Watcher.watch_change,
    If: _Watcher.watch_if,
    While: _Watcher.watch_loop,
    RepeatUntil: _Watcher.watch_loop,
    RepeatTimes: _Watcher.watch_times,
    ForCount: _Watcher.watch_count,
    ForEach: _Watcher.watch_each,
    Pick: _Watcher.follow_pick,
}
