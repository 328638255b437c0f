import { Controller, Get, Inject } from '@nestjs/common';
import { Dispatcher } from '../dispatcher.js';
import type { LanesView } from '../lanes-view.js';

/** `GET /lanes`: what every lane and scope of this process does and waits for, in plain data. */
@Controller('lanes')
export class LanesController {
  constructor(@Inject(Dispatcher) private readonly dispatcher: Dispatcher) {}

  @Get()
  view(): LanesView {
    return this.dispatcher.view();
  }
}
