// Numbers of chance, the same in each run, for tests that hold an operation against a plain loop over many shapes.
#ifndef TWIN_TEST_CHANCE_H
#define TWIN_TEST_CHANCE_H

#include <cstdint>

/// A sequence that its seed decides on every machine, unlike the distributions of <random>.
class Chance {
public:
    explicit Chance(uint64_t seed) : state_(seed * 2 + 1) {}
    uint32_t Bits() {
        state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
        return static_cast<uint32_t>(state_ >> 32);
    }
    /// From `first` to `last`, both of them.
    uint32_t From(uint32_t first, uint32_t last) { return first + Bits() % (last - first + 1); }
    bool Coin() { return (Bits() & 1) != 0; }

private:
    uint64_t state_;
};

#endif
