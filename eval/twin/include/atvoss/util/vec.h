// Steps in graphs of the operator templates (atvoss): types first, then modes; see dag.h.
#ifndef TWIN_ATVOSS_UTIL_VEC_H
#define TWIN_ATVOSS_UTIL_VEC_H

namespace Ops {
namespace Base {
namespace Vec {

template <class T>
struct Abs {};
template <class T>
struct Add {};
template <class T>
struct Adds {};
template <class To, class From, int Mode>
struct Cast {};
template <class Mask, class T, int Mode>
struct Compare {};
template <class T>
struct CopyIn {};
template <class T>
struct CopyOut {};
template <class T>
struct Div {};
template <class T>
struct Divs {};
template <class T>
struct Duplicate {};
template <class T>
struct Max {};
template <class T>
struct Mul {};
template <class T>
struct Muls {};
template <class T>
struct Power {};
template <class Mask, class T, int Mode>
struct Select {};
template <class T>
struct Sqrt {};
template <class T>
struct Sub {};
template <class T>
struct Subs {};

}  // namespace Vec
}  // namespace Base
}  // namespace Ops

#endif
