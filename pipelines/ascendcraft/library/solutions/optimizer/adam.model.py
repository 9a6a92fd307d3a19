import torch

import custom_ops_lib


class ModelNew(torch.nn.Module):
    def __init__(self, beta1=0.9, beta2=0.999, lr=1e-3, eps=1e-8, step=1) -> None:
        super().__init__()
        self.beta1 = beta1
        self.beta2 = beta2
        self.lr = lr
        self.eps = eps
        self.step = step

    def forward(self, param: torch.Tensor, grad: torch.Tensor, m: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        return custom_ops_lib.adam_custom(param, grad, m, v, self.beta1, self.beta2, self.lr, self.eps, self.step)
