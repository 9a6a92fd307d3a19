"""
Hyper-connections with a manifold constraint, after the layer (arXiv 2512.24880): each new stream is a mix of the old
ones plus its share of the layer's output. `h_res` is [old, new].
"""
import torch

element = 0
batch, sequence, streams, width = 1, 1024, 4, 5120


class Model(torch.nn.Module):
    def forward(self, x, h_res, h_out, h_post):
        wide = torch.promote_types(x.dtype, torch.float32)
        mixed = torch.einsum('bsko,bskd->bsod', h_res, x.to(wide))
        return (mixed + h_post.unsqueeze(-1) * h_out.to(wide).unsqueeze(-2)).to(x.dtype)


def get_inputs():
    kind = [torch.float16, torch.bfloat16, torch.float32][element]
    return [
        torch.rand(batch, sequence, streams, width).to(kind),
        torch.rand(batch, sequence, streams, streams),
        torch.rand(batch, sequence, width).to(kind),
        torch.rand(batch, sequence, streams),
    ]


def get_init_inputs():
    return []
