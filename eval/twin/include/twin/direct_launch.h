// Launches of kernels out of host code. `k<T><<<n, l2, stream>>>(x, y)` is no C++; direct-launch.ts writes it as
// `$(k<T> ) (n, l2, stream)  (x, y)`, which takes no more room.
#ifndef TWIN_DIRECT_LAUNCH_H
#define TWIN_DIRECT_LAUNCH_H

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "twin/block_local.h"

// Beyond what this file needs: the headers of CANN's host side bring these, and programs count on it.

namespace twin::direct {

/// Runs the kernel once, on the core that runs now; `arguments` is the tuple of the launch.
using Body = void (*)(const void* arguments);

struct Request {
    const char* kernel;  // as the launch names it
    const char* site;    // names the launch in both compilations of the program
    Body body;
    uint64_t blocks;
    const void* stream;
    const void* arguments;
    size_t argumentBytes;
    const void* const* pointers;  // one for each argument, null for one that is no pointer
    size_t count;
};
/// Runs every block to its end; a broken rule ends the program.
void Launch(const Request& request);
/// What runs the kernel, by the launch's name; `cube`: as compiled for the cube core.
bool Register(const char* site, Body body, bool cube);

/// One launch of the program, by the type of its function and those of its arguments: names of types are the same in
/// both compilations. `unit` keeps functions of one name in two files apart.
template <int unit, typename F, typename... A>
struct Site {
    static const char* Name() { return typeid(Site).name(); }
    static void Run(const void* arguments) {
        // The function has no state, so any byte will do as its object.
        static const char empty = 0;
        EnterKernel();
        std::apply(*reinterpret_cast<const F*>(&empty), *static_cast<const std::tuple<A...>*>(arguments));
    }
    // Two names: g++ makes one variable of all that share one, in whatever library they lie.
#ifdef TWIN_CUBE_CORE
    static inline const bool onCube = Register(typeid(Site).name(), &Run, true);
    static const bool& Known() { return onCube; }
#else
    static inline const bool onVector = Register(typeid(Site).name(), &Run, false);
    static const bool& Known() { return onVector; }
#endif
};

template <typename T>
const void* PointerOf(const T& value) {
    if constexpr (std::is_pointer_v<T>) return (const void*)(value);
    else return nullptr;
}

template <int unit, typename F>
struct Configured {
    const char* kernel;
    uint64_t blocks;
    const void* stream;

    template <typename... Given>
    void operator()(Given&&... given) const {
        static_assert(std::is_empty_v<F>);
        using Here = Site<unit, F, std::decay_t<Given>...>;
        const std::tuple<std::decay_t<Given>...> arguments(std::forward<Given>(given)...);
        const auto pointers = std::apply(
            [](const auto&... value) { return std::array<const void*, sizeof...(value) + 1>{PointerOf(value)...}; },
            arguments);
        static_cast<void>(Here::Known());
        Launch({kernel, Here::Name(), &Here::Run, blocks, stream, &arguments, sizeof arguments, pointers.data(),
                sizeof...(Given)});
    }
};

template <int unit, typename F>
struct Launcher {
    const char* kernel;
    template <typename L2>
    Configured<unit, F> operator()(uint64_t blocks, L2&&, const void* stream = nullptr) const {
        return {kernel, blocks, stream};
    }
    Configured<unit, F> operator()(uint64_t blocks) const { return {kernel, blocks, nullptr}; }
};
template <int unit, typename F>
Launcher<unit, F> LauncherOf(const char* kernel, const F&) {
    return {kernel};
}

}  // namespace twin::direct

#ifndef TWIN_UNIT
#define TWIN_UNIT 0
#endif
#define $(...) \
    ::twin::direct::LauncherOf<TWIN_UNIT>(#__VA_ARGS__, [](auto... twinArgument) { __VA_ARGS__(twinArgument...); })

#endif
