import torch
import custom_ops_lib


class ModelNew(torch.nn.Module):
    def __init__(
        self,
        kernel_size: int,
        stride: int = None,
        padding: int = 0,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ):
        super().__init__()
        assert not return_indices, "the kernel gives values alone"
        assert not ceil_mode, "the kernel leaves windows out that the input does not fill"
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return custom_ops_lib.max_pooling_3d_custom(x, self.kernel_size, self.stride, self.padding)
