import { Controller, type Type } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { LANE_PATTERN } from '@commservice/kafka';
import type { DispatchLane } from '../lane.js';
import type { LaneItem } from '../lane-item.js';
import type { Verdict } from '../steps/verdict.js';

/**
 * The handler of one lane, bound to its transport id: a slot calls it with the records it took and gets one verdict each.
 */
export function laneController(lane: DispatchLane): Type<unknown> {
  @Controller()
  class LaneController {
    @EventPattern(LANE_PATTERN, lane.transport)
    handle(@Payload() slice: readonly LaneItem[]): Promise<readonly Verdict[]> {
      return lane.sender.handle(slice);
    }
  }
  return LaneController;
}
