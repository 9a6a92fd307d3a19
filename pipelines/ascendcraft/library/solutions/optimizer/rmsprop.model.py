import torch

import custom_ops_lib


class ModelNew(torch.nn.Module):
    def __init__(self, lr=1e-3, alpha=0.99, eps=1e-8) -> None:
        super().__init__()
        self.lr = lr
        self.alpha = alpha
        self.eps = eps

    def forward(self, param: torch.Tensor, grad: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        return custom_ops_lib.rmsprop_custom(param, grad, v, self.lr, self.alpha, self.eps)
