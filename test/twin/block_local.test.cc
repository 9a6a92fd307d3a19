// Variables of which each core has its own.
#include "expect.h"

using namespace AscendC;

namespace {

__BLOCK_LOCAL__ inline int32_t visits = 40;
__BLOCK_LOCAL__ inline struct {
    bool first;
    uint64_t bytes;
} context;

/// Each block counts before and after all have met; y has two numbers for each.
void Count(uint8_t** args) {
    auto* y = (__gm__ int32_t*)args[0] + 2 * GetBlockIdx();
    visits += static_cast<int32_t>(GetBlockIdx()) + 1;
    context.bytes += 100;
    SyncAll();
    y[0] = visits;
    y[1] = static_cast<int32_t>(context.bytes) + context.first;
    context.first = true;
}

std::string Launch(std::vector<int32_t>& y, bool reverse = false) {
    return RuleBroken({{"y", twin::Role::kOutput, (uint8_t*)y.data(), y.size() * 4}}, Count,
                      static_cast<uint32_t>(y.size() / 2), reverse);
}

}  // namespace

int main() {
    const std::vector<int32_t> expected = {41, 100, 42, 100, 43, 100};
    std::vector<int32_t> first(6), second(6), reversed(6);
    const std::string rule = Launch(first);
    Expect("variables of each core break no rule", rule.empty(), rule);
    ExpectSame("each core counts for itself, across a barrier", first, expected);
    Launch(second);
    ExpectSame("the next launch starts from what is written in the program", second, expected);
    Launch(reversed, true);
    ExpectSame("in any order of blocks", reversed, expected);
    const std::string broken = RuleBroken({}, [](uint8_t**) {
        visits = 7;
        SetFlag<HardEvent::V_S>(0);
    });
    Expect("a launch that breaks a rule", broken == "unpaired-flag", broken);
    Launch(second);
    ExpectSame("leaves nothing behind", second, expected);
    Expect("nor does any launch", visits == 40 && context.bytes == 0 && !context.first);
    return Finish();
}
