"""Turns a module of evaluators into code of this machine."""

from __future__ import annotations

import ctypes
from typing import Any

from llvmlite import binding, ir


class Compiled:
    """Machine code of a module; lives as long as this object."""

    def __init__(self, module: ir.Module) -> None:
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        target = binding.Target.from_default_triple()
        self.machine = target.create_target_machine(
            cpu=binding.get_host_cpu_name(), features=binding.get_host_cpu_features().flatten(), opt=3, jit=True
        )
        module.triple = target.triple
        module.data_layout = str(self.machine.target_data)
        self.module = binding.parse_assembly(str(module))
        self.module.verify()
        tuning = binding.create_pipeline_tuning_options(speed_level=3)
        tuning.slp_vectorization = False  # it would gather what is faster read one by one
        passes = binding.create_pass_builder(self.machine, tuning)
        passes.getModulePassManager().run(self.module, passes)
        self.engine = binding.create_mcjit_compiler(self.module, self.machine)
        self.engine.finalize_object()

    def function(self, name: str, result: Any, *parameters: Any) -> Any:
        """A function of the module, to be called with ctypes."""
        made = ctypes.CFUNCTYPE(result, *parameters)(self.engine.get_function_address(name))
        made.keeper = self  # type: ignore[attr-defined]
        return made
