#include "division.h"

#include <ucontext.h>

#include <cstddef>
#include <cstdint>

namespace twin_host {

#if defined(__x86_64__)

namespace {

/// `div` and `idiv` of AMD64: an operand-size prefix, REX, F6 or F7, ModRM with /6 or /7, SIB, displacement.
struct Division {
    size_t length = 0;  // 0 when it is another instruction
    uint32_t bytes = 4;
};

size_t addressBytes(const uint8_t* modRm) {
    const uint8_t mod = *modRm >> 6, memory = *modRm & 7;
    if (mod == 3) return 0;
    const size_t sib = memory == 4 ? 1 : 0;
    if (mod == 1) return sib + 1;
    if (mod == 2) return sib + 4;
    return sib + (memory == 5 || (sib == 1 && (modRm[1] & 7) == 5) ? 4 : 0);
}

Division decode(const uint8_t* at) {
    const uint8_t* const start = at;
    Division division;
    if (*at == 0x66) {
        division.bytes = 2;
        ++at;
    }
    if ((*at & 0xf0) == 0x40) {
        if ((*at & 8) != 0) division.bytes = 8;
        ++at;
    }
    if (*at == 0xf6) division.bytes = 1;
    else if (*at != 0xf7) return {};
    ++at;
    if ((*at >> 4 & 3) != 3) return {};
    division.length = static_cast<size_t>(at + 1 - start) + addressBytes(at);
    return division;
}

/// A register of 4 bytes written clears the upper half, a smaller one leaves the rest.
void put(greg_t& target, uint32_t bytes, uint64_t value) {
    auto whole = static_cast<uint64_t>(target);
    if (bytes == 8) whole = value;
    else if (bytes == 4) whole = static_cast<uint32_t>(value);
    else whole = (whole & ~uint64_t{0xffff}) | (value & 0xffff);
    target = static_cast<greg_t>(whole);
}

}  // namespace

bool stepOverDivision(void* context, bool otherValues) {
    greg_t* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    const Division division = decode(reinterpret_cast<const uint8_t*>(registers[REG_RIP]));
    if (division.length == 0) return false;
    const auto dividend = static_cast<uint64_t>(registers[REG_RAX]);
    const uint64_t quotient = otherValues ? ~uint64_t{0} : 0, remainder = otherValues ? 0 : dividend;
    if (division.bytes == 1) {
        put(registers[REG_RAX], 2, (quotient & 0xff) | (remainder & 0xff) << 8);
    } else {
        put(registers[REG_RAX], division.bytes, quotient);
        put(registers[REG_RDX], division.bytes, remainder);
    }
    registers[REG_RIP] += static_cast<greg_t>(division.length);
    return true;
}

#else

bool stepOverDivision(void*, bool) { return false; }

#endif

}  // namespace twin_host
