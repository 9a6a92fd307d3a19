// REGIST_MATMUL_OBJ: one to four Matmul objects, each followed by its tiling; a single one may come without.
#ifndef TWIN_MATMUL_REGISTER_H
#define TWIN_MATMUL_REGISTER_H

#include "twin/matmul.h"
#include "twin/soc.h"

#pragma clang force_cuda_host_device begin

namespace twin {

template <typename M>
__aicore__ inline void RegisterMatmuls(const uint8_t* workspace, M& object) { MatmulRegister(object.state_, M::kind, nullptr, workspace); }
template <typename M, typename T, typename... Rest>
__aicore__ inline void RegisterMatmuls(const uint8_t* workspace, M& object, T* tiling, Rest&&... rest) {
    MatmulRegister(object.state_, M::kind, tiling, workspace);
    if constexpr (sizeof...(Rest) > 0) RegisterMatmuls(workspace, rest...);
}

}  // namespace twin

// The cube core of a kernel of both kinds serves its vector cores until these end, and then leaves the kernel.
#ifdef ASCENDC_CUBE_ONLY
#ifdef TWIN_CUBE_CORE
#define REGIST_MATMUL_OBJ(tpipe, workspace, ...) twin::RegisterMatmuls(twin::AddressAs<const uint8_t*>(workspace), __VA_ARGS__)
#else
#define REGIST_MATMUL_OBJ(tpipe, workspace, ...) return
#endif
#else
#ifdef TWIN_CUBE_CORE
#define REGIST_MATMUL_OBJ(tpipe, workspace, ...)                   \
    twin::MatmulServe(twin::AddressAs<const uint8_t*>(workspace)); \
    return
#else
#define REGIST_MATMUL_OBJ(tpipe, workspace, ...) twin::RegisterMatmuls(twin::AddressAs<const uint8_t*>(workspace), __VA_ARGS__)
#endif
#endif
#define REGIST_MATMUL_OBJ_STATIC REGIST_MATMUL_OBJ

#pragma clang force_cuda_host_device end
#endif
