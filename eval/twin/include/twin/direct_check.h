// A program as the device's compiler sees it, for the rules alone: host code is not its own, and what a launch names
// must be there. `twin/direct_launch.h` is for the program that runs.
#ifndef TWIN_DIRECT_CHECK_H
#define TWIN_DIRECT_CHECK_H

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace twin::direct {

/// Takes a configuration and arguments, and is never defined: host code is not compiled here.
struct Checked {
    template <typename... Given>
    const Checked& operator()(Given&&...) const;
};
template <typename F>
const Checked& CheckedOf(F kernel);

}  // namespace twin::direct

#define $(...) ::twin::direct::CheckedOf(&__VA_ARGS__)

#endif
