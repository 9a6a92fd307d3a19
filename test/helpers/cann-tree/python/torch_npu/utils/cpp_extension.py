import os

from torch.utils.cpp_extension import CppExtension


def NpuExtension(name, sources, **more):
    include = os.path.join(os.environ['ASCEND_HOME_PATH'], 'include')
    return CppExtension(name, sources, include_dirs=[include], extra_compile_args=['-O0', '-g0', '-w'], **more)
