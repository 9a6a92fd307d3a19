import {expect, test} from 'vitest'
import {objectMutations} from '../../../../pipelines/preference/mutations/object-misuse.ts'
import {madeBy} from './places.ts'

const kernelHead = 'LocalTensor<T> a;\nLocalTensor<T> b;\n'
const inKernel = madeBy(objectMutations, 'op_kernel/a.cpp', kernelHead)

test.each<[string, string, [string, string][]]>([
  [
    'invented-member',
    'q.EnQue(a);',
    [
      ['q.EnQueue(a);', 'EnQueue is no member; EnQue was meant'],
      ['q.Push(a);', 'Push is no member; EnQue was meant'],
      ['q.Enque(a);', 'Enque is no member; EnQue was meant'],
    ],
  ],
  [
    'invented-member',
    'p->template Get<T>(); y = this->q.DeQue<T>();',
    [
      ['p->template GetTensor<T>(); y = this->q.DeQue<T>();', 'GetTensor is no member; Get was meant'],
      ['p->template GetLocalTensor<T>(); y = this->q.DeQue<T>();', 'GetLocalTensor is no member; Get was meant'],
      ['p->template Alloc<T>(); y = this->q.DeQue<T>();', 'Alloc is no member; Get was meant'],
      ['p->template Get<T>(); y = this->q.DeQueue<T>();', 'DeQueue is no member; DeQue was meant'],
      ['p->template Get<T>(); y = this->q.Pop<T>();', 'Pop is no member; DeQue was meant'],
      ['p->template Get<T>(); y = this->q.Deque<T>();', 'Deque is no member; DeQue was meant'],
    ],
  ],
  [
    'invented-member',
    'EnQue(a); A::Get(a); q.Foo(); a.SetGlobalBuffer();',
    [
      ['EnQue(a); A::Get(a); q.Foo(); a.SetBuffer();', 'SetBuffer is no member; SetGlobalBuffer was meant'],
      ['EnQue(a); A::Get(a); q.Foo(); a.SetAddr();', 'SetAddr is no member; SetGlobalBuffer was meant'],
      ['EnQue(a); A::Get(a); q.Foo(); a.Init();', 'Init is no member; SetGlobalBuffer was meant'],
    ],
  ],
  [
    'invented-member',
    'a.SetValue(0, x);',
    [
      ['a.Set(0, x);', 'Set is no member; SetValue was meant'],
      ['a.PutValue(0, x);', 'PutValue is no member; SetValue was meant'],
      ['a.Store(0, x);', 'Store is no member; SetValue was meant'],
    ],
  ],
  [
    'member-of-no-class',
    'TBuf<> q;\nvoid F() { q.Get<T>(); }',
    [
      ['TBuf<> q;\nvoid F() { q.Get<T>(); q.SetFlag(); }', 'q.SetFlag(), which TBuf<> does not have'],
      ['TBuf<> q;\nvoid F() { q.Get<T>(); q.GetSize(); }', 'q.GetSize(), which TBuf<> does not have'],
      ['TBuf<> q;\nvoid F() { q.Get<T>(); q.Release(); }', 'q.Release(), which TBuf<> does not have'],
      ['TBuf<> q;\nvoid F() { q.Get<T>(); q.Fill(0); }', 'q.Fill(0), which TBuf<> does not have'],
    ],
  ],
  [
    'member-of-no-class',
    'TQue<X, 1> q;\nvoid F() { p.InitBuffer(q, 1, n); f(); }',
    [
      [
        'TQue<X, 1> q;\nvoid F() { p.InitBuffer(q, 1, n); q.GetSize(); f(); }',
        'q.GetSize(), which TQue<X, 1> does not have',
      ],
      ['TQue<X, 1> q;\nvoid F() { p.InitBuffer(q, 1, n); q.Size(); f(); }', 'q.Size(), which TQue<X, 1> does not have'],
      [
        'TQue<X, 1> q;\nvoid F() { p.InitBuffer(q, 1, n); q.Clear(); f(); }',
        'q.Clear(), which TQue<X, 1> does not have',
      ],
      [
        'TQue<X, 1> q;\nvoid F() { p.InitBuffer(q, 1, n); q.SetFlag(); f(); }',
        'q.SetFlag(), which TQue<X, 1> does not have',
      ],
      [
        'TQue<X, 1> q;\nvoid F() { p.InitBuffer(q, 1, n); q.Reset(); f(); }',
        'q.Reset(), which TQue<X, 1> does not have',
      ],
    ],
  ],
  [
    'member-of-no-class',
    'GlobalTensor<T> g;\nvoid F() { g.SetGlobalBuffer(x); }',
    [
      [
        'GlobalTensor<T> g;\nvoid F() { g.SetGlobalBuffer(x); g.CopyTo(0); }',
        'g.CopyTo(0), which GlobalTensor<T> does not have',
      ],
      [
        'GlobalTensor<T> g;\nvoid F() { g.SetGlobalBuffer(x); g.GetLength(); }',
        'g.GetLength(), which GlobalTensor<T> does not have',
      ],
      [
        'GlobalTensor<T> g;\nvoid F() { g.SetGlobalBuffer(x); g.Sync(); }',
        'g.Sync(), which GlobalTensor<T> does not have',
      ],
    ],
  ],
  [
    'member-of-no-class',
    'TPipe pipe;\nvoid F() { pipe.InitBuffer(q, n); }',
    [
      ['TPipe pipe;\nvoid F() { pipe.InitBuffer(q, n); pipe.Alloc(32); }', 'pipe.Alloc(32), which TPipe does not have'],
      ['TPipe pipe;\nvoid F() { pipe.InitBuffer(q, n); pipe.Flush(); }', 'pipe.Flush(), which TPipe does not have'],
      [
        'TPipe pipe;\nvoid F() { pipe.InitBuffer(q, n); pipe.GetUbSize(); }',
        'pipe.GetUbSize(), which TPipe does not have',
      ],
    ],
  ],
  ['member-of-no-class', 'TPipe pipe;\nTQueBind<X> q;\nvoid F() { q.f(); }', []],
  [
    'member-of-no-tensor',
    'Abs(a, b, n);',
    [
      ['Abs(a, b, n); a.FreeTensor();', 'a.FreeTensor(), which a tensor does not have'],
      ['Abs(a, b, n); a.EnQue();', 'a.EnQue(), which a tensor does not have'],
      ['Abs(a, b, n); a.Fill(0);', 'a.Fill(0), which a tensor does not have'],
      ['Abs(a, b, n); a.GetShape();', 'a.GetShape(), which a tensor does not have'],
      ['Abs(a, b, n); a.data();', 'a.data(), which a tensor does not have'],
    ],
  ],
  ['member-of-no-tensor', 'Abs(a[1], b, n); f(a); Abs(x, b, n);', []],
  [
    'wrong-member-arguments',
    'q.EnQue(a);',
    [
      ['q.EnQue();', 'EnQue without arguments'],
      ['q.EnQue(a, "ub");', 'EnQue with "ub" besides'],
      ['q.EnQue(a, 0, 0, 0);', 'EnQue with 0, 0, 0 besides'],
    ],
  ],
  [
    'wrong-member-arguments',
    'x = q.Get<T>();',
    [
      ['x = q.Get<T>("ub");', 'Get with "ub" besides'],
      ['x = q.Get<T>(0, 0, 0);', 'Get with 0, 0, 0 besides'],
    ],
  ],
  ['wrong-member-arguments', 'EnQue(a); q.Foo(a);', []],
  [
    'wrong-init-buffer-form',
    'p.InitBuffer(q, 2, n);',
    [
      ['p.InitBuffer(q);', 'InitBuffer of q without sizes'],
      ['p.InitBuffer(&q, 2, n);', 'InitBuffer with the address of q'],
      ['p.InitBuffer(q, n, 2, 0);', 'InitBuffer with four'],
    ],
  ],
  [
    'wrong-init-buffer-form',
    'p.InitBuffer(b, n);',
    [
      ['p.InitBuffer(b);', 'InitBuffer of b without sizes'],
      ['p.InitBuffer(&b, n);', 'InitBuffer with the address of b'],
    ],
  ],
  ['wrong-init-buffer-form', 'p.InitBuffer(b); p.SetBuffer(b, n);', []],
  [
    'address-without-gm',
    'g.SetGlobalBuffer((__gm__ T*)x + i, n);',
    [
      ['g.SetGlobalBuffer((T*)x + i, n);', '(T*)x for an address in global memory'],
      ['g.SetGlobalBuffer(reinterpret_cast<T*>(x) + i, n);', 'reinterpret_cast<T*>(x) for an address in global memory'],
      [
        'g.SetGlobalBuffer(static_cast<__gm__ T*>(x) + i, n);',
        'static_cast<__gm__ T*>(x) for an address in global memory',
      ],
    ],
  ],
  [
    'address-without-gm',
    'f(( __gm__ half *) y); f((__gm__ T**)x, (T*)x, (__gm__ uint8_t*)(x));',
    [
      ['f((half*)y); f((__gm__ T**)x, (T*)x, (__gm__ uint8_t*)(x));', '(half*)y for an address in global memory'],
      [
        'f(reinterpret_cast<half*>(y)); f((__gm__ T**)x, (T*)x, (__gm__ uint8_t*)(x));',
        'reinterpret_cast<half*>(y) for an address in global memory',
      ],
      [
        'f(static_cast<__gm__ half*>(y)); f((__gm__ T**)x, (T*)x, (__gm__ uint8_t*)(x));',
        'static_cast<__gm__ half*>(y) for an address in global memory',
      ],
    ],
  ],
  [
    'global-taken-as-local',
    'GlobalTensor<T> g;\nLocalTensor<T> x = q.Get<T>();',
    [
      ['GlobalTensor<T> g;\nGlobalTensor<T> x = q.Get<T>();', 'x is declared as a GlobalTensor'],
      ['GlobalTensor<T> g;\nLocalTensor<T>* x = q.Get<T>();', 'x is declared as a pointer to a tensor'],
      ['GlobalTensor<T> g;\nLocalTensor<T> x = g;', 'x is g in global memory'],
    ],
  ],
  [
    'global-taken-as-local',
    'LocalTensor<T> x = q.Get<T>();',
    [
      ['GlobalTensor<T> x = q.Get<T>();', 'x is declared as a GlobalTensor'],
      ['LocalTensor<T>* x = q.Get<T>();', 'x is declared as a pointer to a tensor'],
    ],
  ],
  ['global-taken-as-local', 'GlobalTensor<T> g;\nLocalTensor<T> x;\nauto y = q.Get<T>();', []],
  ['tensor-dereferenced', 'Abs(a, b[i], n);', [['Abs(*a, b[i], n);', 'Abs with *a']]],
  [
    'address-for-element',
    'x = a.GetValue(0);',
    [
      ['x = a.GetPhyAddr();', 'a.GetPhyAddr() for an element of a'],
      ['x = *a;', '*a for an element of a'],
      ['x = (float*)a.GetPhyAddr();', '(float*)a.GetPhyAddr() for an element of a'],
    ],
  ],
  ['address-for-element', 'a.SetValue(0, 1);', []],
  [
    'wrong-member-mark',
    'q.Get<T>(); p->Init(x); this->q.n; x.template Get<T>();',
    [
      ['q->Get<T>(); p->Init(x); this->q.n; x.template Get<T>();', '-> on an object'],
      ['q.Get<T>(); p.Init(x); this->q.n; x.template Get<T>();', '. on a pointer'],
      ['q.Get<T>(); p->Init(x); this->q.n; x->template Get<T>();', '-> on an object'],
    ],
  ],
  ['wrong-member-mark', 'Q.Get<T>(); q.n; 1.f(); p->m;', []],
  [
    'member-as-pointer',
    'TPipe pipe;\nTQue<X, 1> q;\nTBuf<> b;\nGlobalTensor<T> g;\nvoid F() {\n  TPipe x;\n}',
    [
      [
        'TPipe* pipe;\nTQue<X, 1> q;\nTBuf<> b;\nGlobalTensor<T> g;\nvoid F() {\n  TPipe x;\n}',
        'pipe is declared as a pointer',
      ],
      [
        'TPipe pipe;\nTQue<X, 1>* q;\nTBuf<> b;\nGlobalTensor<T> g;\nvoid F() {\n  TPipe x;\n}',
        'q is declared as a pointer',
      ],
      [
        'TPipe pipe;\nTQue<X, 1> q;\nTBuf<>* b;\nGlobalTensor<T> g;\nvoid F() {\n  TPipe x;\n}',
        'b is declared as a pointer',
      ],
    ],
  ],
])('%s: %j', (name, text, expected) => {
  expect(inKernel(name, text)).toEqual(expected)
  expect(madeBy(objectMutations, 'op_host/a.cpp', kernelHead)(name, text)).toEqual([])
})

const inHost = madeBy(objectMutations, 'op_host/a.cpp')

test.each<[string, string, [string, string][]]>([
  [
    'host-wrong-member-mark',
    'context->GetInputShape(0); tiling.set_n(1);',
    [
      ['context.GetInputShape(0); tiling.set_n(1);', '. on a pointer'],
      ['context->GetInputShape(0); tiling->set_n(1);', '-> on an object'],
    ],
  ],
  [
    'host-pointer-for-value',
    'n = c->GetInputShape(0)->GetStorageShape().GetShapeSize(); m = s->GetDim(i);',
    [
      ['n = c->GetInputShape(0); m = s->GetDim(i);', 'a pointer to a shape where a number is meant'],
      ['n = c->GetInputShape(0)->GetStorageShape().GetShapeSize(); m = s;', 'a shape for one of its dimensions'],
    ],
  ],
  ['host-pointer-for-value', 'n = s.GetDim(0); m = c->GetStorageShape();', []],
])('host, %s: %j', (name, text, expected) => {
  expect(inHost(name, text)).toEqual(expected)
  expect(madeBy(objectMutations, 'op_kernel/a.cpp')(name, text)).toEqual([])
})
