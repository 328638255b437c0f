import { coordinatorContract } from '../model/coordinator-contract.js';
import { MemoryCoordinator } from './memory-coordinator.js';

describe('MemoryCoordinator', () => {
  coordinatorContract(() => {
    let now = 0;
    return {
      coordinator: new MemoryCoordinator(() => now),
      at: (ms) => (now = ms),
      settle: () => Promise.resolve(),
    };
  });
});
