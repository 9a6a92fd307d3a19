"""Tensors as dense little-endian bytes in row-major order."""
import torch


def dtype_name(tensor):
    return str(tensor.dtype).removeprefix('torch.')


def byte_size(tensor):
    """Bytes in memory; of a sparse tensor those of its entries, however large the shape is that it names."""
    if tensor.is_sparse:
        return byte_size(tensor._indices()) + byte_size(tensor._values())
    return tensor.numel() * tensor.element_size()


def raw(tensor):
    dense = tensor.contiguous().reshape(-1)
    if dense.is_complex():
        dense = torch.view_as_real(dense).reshape(-1)
    return dense.view(torch.uint8)


def write_tensor(path, tensor):
    with open(path, 'wb') as file:
        if tensor.numel() > 0:
            file.write(memoryview(raw(tensor.detach()).numpy()))


def read_tensor(path, tensor):
    """Overwrites a tensor's elements in place. @raises ValueError when the file holds another number of bytes"""
    with open(path, 'rb') as file:
        data = bytearray(file.read())
    wanted = tensor.numel() * tensor.element_size()
    if len(data) != wanted:
        raise ValueError(f'{path} holds {len(data)} bytes, expected {wanted}')
    if wanted > 0:
        tensor.copy_(torch.frombuffer(data, dtype=tensor.dtype).reshape(tensor.shape))


def share_memory(one, other):
    return one.numel() > 0 and one.untyped_storage().data_ptr() == other.untyped_storage().data_ptr()
