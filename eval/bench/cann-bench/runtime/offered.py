"""An operator of a package, as the benchmark finds and calls it: by keyword, from torch.ops or from the package."""
import os
import sys

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cann_bench


class Operator:
    def __init__(self, names, parameters):
        offered = [torch.ops.cann_bench, cann_bench]
        found = [getattr(place, name) for place in offered for name in names if hasattr(place, name)]
        if not found:
            raise AttributeError(f'the package offers none of {", ".join(names)}')
        self.function, self.parameters = found[0], parameters

    def __call__(self, *values):
        return self.function(**dict(zip(self.parameters, values)))
