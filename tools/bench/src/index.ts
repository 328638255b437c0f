export { quantiles, type Quantiles } from './quantiles.js';
export { openTarget, type Target } from './target/target.js';
