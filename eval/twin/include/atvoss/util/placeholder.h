// Inputs, outputs, attributes and scalars in graphs of the operator templates (atvoss); see dag.h.
#ifndef TWIN_ATVOSS_UTIL_PLACEHOLDER_H
#define TWIN_ATVOSS_UTIL_PLACEHOLDER_H

namespace Ops {
namespace Base {
namespace Placeholder {

template <bool IsScalar>
struct ScalarAttr {};
template <class T, int Position, class Attribute>
struct In {};
template <class T, int Position>
struct Out {};
template <class T, int Index = 0>
struct Var {};
template <class T, class A = ScalarAttr<false>>
using In0 = In<T, 0, A>;
template <class T, class A = ScalarAttr<false>>
using In1 = In<T, 1, A>;
template <class T, class A = ScalarAttr<false>>
using In2 = In<T, 2, A>;
template <class T, class A = ScalarAttr<false>>
using In3 = In<T, 3, A>;
template <class T, class A = ScalarAttr<false>>
using In4 = In<T, 4, A>;
template <class T, class A = ScalarAttr<false>>
using In5 = In<T, 5, A>;
template <class T>
using Out0 = Out<T, 0>;
template <class T>
using Out1 = Out<T, 1>;
template <class T>
using Out2 = Out<T, 2>;
template <class T>
using Out3 = Out<T, 3>;

}  // namespace Placeholder
}  // namespace Base
}  // namespace Ops

#endif
