import type {JobPlan} from '../plan.ts'
import type {Word} from './engine.ts'

type Settings = Record<string, unknown>

/** Configuration of `accelerate launch`: one process per device, and how weights are sharded. */
export function accelerateConfig(plan: JobPlan): Settings {
  const {spec, arithmetic} = plan
  const bf16 = spec.hyperparameters.precision.value === 'bf16'
  return {
    compute_environment: 'LOCAL_MACHINE',
    debug: false,
    ...sharding(plan),
    downcast_bf16: 'no',
    main_training_function: 'main',
    mixed_precision: bf16 ? 'bf16' : 'no',
    machine_rank: 0,
    num_machines: spec.hardware.nodes,
    num_processes: arithmetic.world,
    rdzv_backend: 'static',
    same_network: true,
    use_cpu: spec.hardware.accelerator === 'cpu',
  }
}

function sharding({spec: {parallel, hardware}, arithmetic}: JobPlan): Settings {
  switch (parallel.sharding.value) {
    case 'zero2':
      return {distributed_type: 'DEEPSPEED', deepspeed_config: {...deepSpeed, zero3_init_flag: false, zero_stage: 2}}
    case 'zero3':
      return {
        distributed_type: 'DEEPSPEED',
        deepspeed_config: {...deepSpeed, zero3_init_flag: true, zero3_save_16bit_model: true, zero_stage: 3},
      }
    case 'fsdp2':
      return {distributed_type: 'FSDP', fsdp_config: fsdp}
    default:
      if (arithmetic.world === 1) return {distributed_type: 'NO'}
      return {distributed_type: {ascend: 'MULTI_NPU', nvidia: 'MULTI_GPU', cpu: 'MULTI_CPU'}[hardware.accelerator]}
  }
}

const deepSpeed = {
  deepspeed_multinode_launcher: 'standard',
  offload_optimizer_device: 'none',
  offload_param_device: 'none',
}

/** Activations are recomputed by the trainer's own `gradient_checkpointing`; it refuses both at once. */
const fsdp = {
  fsdp_version: 2,
  fsdp_activation_checkpointing: false,
  fsdp_auto_wrap_policy: 'TRANSFORMER_BASED_WRAP',
  fsdp_cpu_ram_efficient_loading: true,
  fsdp_offload_params: false,
  fsdp_reshard_after_forward: true,
  fsdp_state_dict_type: 'FULL_STATE_DICT',
}

/** A program under `accelerate launch`. A single process needs no rendezvous. */
export function accelerateLaunch(plan: JobPlan, config: string, program: readonly string[]): Word[] {
  const meeting: Word[] = [
    '--machine_rank',
    {rendezvous: 'node-rank'},
    '--main_process_ip',
    {rendezvous: 'master-address'},
    '--main_process_port',
    {rendezvous: 'master-port'},
  ]
  return [
    plan.spec.environment.python,
    '-m',
    'accelerate.commands.launch',
    '--config_file',
    config,
    ...(plan.arithmetic.world === 1 ? [] : meeting),
    ...program,
  ]
}

/** A program under torchrun, by the environment's own interpreter: `torchrun` need not be on the path. */
export function torchRun({spec: {environment, hardware}}: JobPlan, program: readonly string[]): Word[] {
  return [
    environment.python,
    '-m',
    'torch.distributed.run',
    '--nnodes',
    String(hardware.nodes),
    '--nproc_per_node',
    String(hardware.devicesPerNode),
    '--node_rank',
    {rendezvous: 'node-rank'},
    '--master_addr',
    {rendezvous: 'master-address'},
    '--master_port',
    {rendezvous: 'master-port'},
    ...program,
  ]
}
