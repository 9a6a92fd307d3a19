// Graphs of the operator templates (atvoss), as tilings for several chips name them: a step with its inputs, the
// outputs, and how memory is chosen. On Atlas A2 no graph is planned or run, so the types carry no members; a tiling
// that asks for one is refused (refused.h).
#ifndef TWIN_ATVOSS_UTIL_DAG_H
#define TWIN_ATVOSS_UTIL_DAG_H

namespace Ops {
namespace Base {

template <class Step, class... Inputs>
struct Bind {};
template <class... Outputs>
struct Elems {};
enum class MemLevel { LEVEL_0, LEVEL_1, LEVEL_2 };
template <MemLevel Level>
struct MemOptCfg {};
template <class Outputs, class Order = void, class Memory = MemOptCfg<MemLevel::LEVEL_0>>
struct DAGSch {};
template <class T, class Value>
struct Constant {};

}  // namespace Base
}  // namespace Ops

#define MAKE_CONST(type, value) Ops::Base::Constant<type, decltype(value)>

#ifndef __CCE_AICORE__
// The device's names of types, for what a graph computes with.
struct half;
struct bfloat16_t;
#endif

#endif
