export { openTarget, type Target } from './target/target.js';
