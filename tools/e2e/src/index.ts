export { startJourneyPlatform, type JourneyPlatform } from './platform/journey-platform.js';
