import torch

import custom_ops_lib


class ModelNew(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()

    def forward(self, A: torch.Tensor, s: float) -> torch.Tensor:
        return custom_ops_lib.matrix_scalar_multiplication_custom(A, s)
