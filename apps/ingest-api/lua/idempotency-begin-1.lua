--[[ Take an idempotency key, or say what became of it.
  KEYS[1] the key
  ARGV[1] hash of the body   ARGV[2] token of the holder   ARGV[3] how long it may run, milliseconds
  Returns {0} taken | {1} running | {2} used with another body | {3, answer} done ]]
local known = redis.call('HMGET', KEYS[1], 'hash', 'answer')
if not known[1] then
  redis.call('HSET', KEYS[1], 'hash', ARGV[1], 'token', ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return { 0 }
end
if known[1] ~= ARGV[1] then return { 2 } end
if known[2] then return { 3, known[2] } end
return { 1 }
