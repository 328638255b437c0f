import { Controller, Headers, HttpException, Inject, Param, Post, Query, RawBody } from '@nestjs/common';
import { unreachable } from '@commservice/contracts';
import { ReceiptIntake } from '../receipts/receipt-intake.js';

/** `POST /receipts/<account>`: delivery receipts from the vendor. 200 only when every one is stored; 503 = send them again. */
@Controller('receipts')
export class ReceiptsController {
  constructor(@Inject(ReceiptIntake) private readonly intake: ReceiptIntake) {}

  @Post(':account')
  async take(
    @Param('account') account: string,
    @Query() query: Record<string, string | undefined>,
    @RawBody() raw: Buffer | undefined,
    @Headers() headers: Record<string, string | undefined>,
  ): Promise<{ receipts: number }> {
    const result = await this.intake.take(account, query, raw ?? Buffer.alloc(0), headers);
    switch (result.kind) {
      case 'stored':
        return { receipts: result.receipts };
      case 'refused':
        throw new HttpException({ title: result.reason, status: result.status }, result.status);
      case 'not-stored':
        throw new HttpException(
          { title: 'the receipts could not be stored; send them again', status: 503 },
          503,
        );
      default:
        return unreachable(result);
    }
  }
}
