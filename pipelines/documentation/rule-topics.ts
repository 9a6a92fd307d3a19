/** A rule of the hardware that pages lean on without explaining it. */
interface RuleTopic {
  /** What a section says that leans on it. */
  said: RegExp
  /** Headings of the sections that explain it. */
  explained: RegExp
}

export const ruleTopics: readonly RuleTopic[] = [
  {said: /地址重叠|重叠约束|overlap/i, explained: /地址重叠(?:约束)?$|address overlap/i},
  {said: /对齐|\baligned?\b|\balignment\b/i, explained: /^(?:通用)?地址对齐约束$|^存储单元说明$|(?<!un)alignment/i},
  {said: /\bmask\b|掩码/i, explained: /^掩码(?:操作|配置方式|配置|设置)?$|掩码操作API$|^mask(?:s|ing)?$/i},
  {
    said: /repeatTimes?\b|uint8_t repeat\b|RepStride|repeat_?stride|高维切分/i,
    explained:
      /^高维切分(?:计算)?$|高维切分(?:计算)?API$|^(?:地址间隔|迭代)(?:配置|控制)$|^repeatStride$|high-dimensional/i,
  },
  {said: /BlkStride|blockStride|DataBlockStride/i, explained: /^dataBlockStride$|^地址间隔配置$/i},
  {
    said: /sharedTmpBuffer|临时空间|临时缓存|temporary (?:buffer|space)/i,
    explained: /临时空间|temporary (?:buffer|space)/i,
  },
  {
    said: /VECIN|VECOUT|VECCALC|\bCO1\b|TPosition|逻辑位置/,
    explained: /逻辑位置和物理存储|^TPosition$|logical positions?/i,
  },
  {
    said: /bank\s*冲突|bank conflict/i,
    explained: /^(?:如何)?避免bank冲突$|bank冲突(?:的典型场景)?$|bank conflict/i,
  },
  {said: /double\s?buffer|双缓冲/i, explained: /^(?:开启|使能)?\s*double\s?buffer$/i},
  {said: /workspace/i, explained: /^如何使用workspace$|^workspace大小$|^workspace$/i},
  {said: /TilingKey|TILING_KEY/, explained: /^TilingKey（可选）$|^使用TilingKey选择分支$/},
  {said: /分形|\bNz\b|\bZz\b|\bZn\b|FRACTAL/, explained: /^关键分形格式详解$|^(?:Nz|Zz|Zn)格式/},
  {
    said: /SetFlag|WaitFlag|PipeBarrier|核内同步/,
    explained: /^为什么需要核内同步$|^核内同步(?:分类)?$|^什么时候需要开发者手动插入同步$/,
  },
  {said: /CrossCore|SyncAll|IBSet|IBWait|核间同步/, explained: /^核间同步(?:能力概述)?$/},
  {
    said: /UB(?:的|空间|大小|实际|容量)|Unified Buffer的?(?:大小|容量)|UB size/,
    explained: /^存储单元$|^存储单元和搬运单元$/,
  },
  {said: /舍入模式|RoundMode|round(?:ing)? mode/i, explained: /^舍入模式|rounding modes?/i},
  {said: /饱和模式|saturat/i, explained: /饱和模式/},
]
