import {
  accountOf,
  BULK_RECIPIENTS,
  type Account,
  type Catalogue,
  type CatalogueKey,
  type Category,
  type Channel,
  type FieldError,
  type Priority,
} from '@commservice/contracts';
import { fault } from './faults.js';

/** Who sends, and in what company. */
export interface Sender {
  readonly catalogue: Catalogue;
  readonly key: CatalogueKey;
  /** Items of the batch the message came in; absent = a single message. */
  readonly batchSize?: number;
}

export interface Classified {
  readonly category?: Category;
  readonly priority?: Priority;
  /** Name of the account that serves brand and channel, and the account. */
  readonly accountName?: string;
  readonly account?: Account;
  readonly faults: FieldError[];
}

/** The fields a message is classified by; those that failed validation are absent. */
export interface ClassifiedBy {
  readonly channel?: Channel | undefined;
  readonly brand?: string | undefined;
  readonly category?: string | undefined;
}

const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** The class of a category in a batch of so many recipients: large ones are P3 unless they are P2 that allows bulk. */
export function classInBatch(category: Category, batchSize: number | undefined): Priority {
  if (batchSize === undefined || batchSize < BULK_RECIPIENTS || category.priority !== 'P2')
    return category.priority;
  return category.bulk ? 'P2' : 'P3';
}

function brandFaults(brand: string | undefined, { catalogue, key }: Sender): FieldError[] {
  if (brand === undefined) return [];
  if (!catalogue.brands.includes(brand)) return [fault('/brand', 'unknown_brand')];
  return own(catalogue.teams, key.team)?.brands.includes(brand) ? [] : [fault('/brand', 'forbidden_brand')];
}

function categoryFaults(
  category: Category,
  channel: Channel | undefined,
  { key, batchSize }: Sender,
): FieldError[] {
  const faults: FieldError[] = [];
  if (category.teams && !category.teams.includes(key.team))
    faults.push(fault('/category', 'forbidden_category'));
  if (channel !== undefined && !category.channels.includes(channel))
    faults.push(fault('/channel', 'channel_not_allowed'));
  if (category.priority === 'P1' && batchSize !== undefined)
    faults.push(fault('/category', 'p1_single_only'));
  return faults;
}

/** Category → class, and whether category, channel, brand, team and key go together. Judges whatever fields are given. */
export function classify(fields: ClassifiedBy, sender: Sender): Classified {
  const { catalogue, key, batchSize } = sender;
  const faults = brandFaults(fields.brand, sender);
  if (key.kind !== 'live') faults.push(fault('', 'forbidden_key'));
  const accountName =
    fields.channel !== undefined && fields.brand !== undefined
      ? accountOf(catalogue, fields.channel, fields.brand)
      : undefined;
  const account =
    accountName === undefined ? undefined : { accountName, account: own(catalogue.accounts, accountName) };
  if (fields.category === undefined) return { ...account, faults };
  const category = own(catalogue.categories, fields.category);
  if (!category) return { ...account, faults: [...faults, fault('/category', 'unknown_category')] };
  faults.push(...categoryFaults(category, fields.channel, sender));
  return { ...account, category, priority: classInBatch(category, batchSize), faults };
}
