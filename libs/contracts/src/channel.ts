import { z } from 'zod';

/** The channels the platform delivers through; one dispatcher app each. */
export const CHANNELS = ['sms', 'push', 'email', 'messenger'] as const;
export const channelSchema = z.enum(CHANNELS);
export type Channel = z.infer<typeof channelSchema>;

/** Priority classes, most urgent first: P1 one-time codes and security, P2 service, P3 marketing. */
export const PRIORITIES = ['P1', 'P2', 'P3'] as const;
export const prioritySchema = z.enum(PRIORITIES);
export type Priority = z.infer<typeof prioritySchema>;

/** 1 for P1, 2 for P2, 3 for P3: the number in topic and group names. */
export function priorityNumber(priority: Priority): 1 | 2 | 3 {
  return priority === 'P1' ? 1 : priority === 'P2' ? 2 : 3;
}

/** The classes that stand above `priority`, most urgent first; every one of them may block it. */
export function classesAbove(priority: Priority): readonly Priority[] {
  return PRIORITIES.slice(0, PRIORITIES.indexOf(priority));
}

/** Upper bound of records taken, claimed and reported in one round trip, by class (design: slice). */
export const SLICE_LIMIT: Record<Priority, number> = { P1: 1, P2: 50, P3: 1000 };
