--[[ Let a key go, as if nothing had been tried.
  KEYS[1] the key
  ARGV[1] token of the holder
  Returns 1 gone | 0 not held by this token ]]
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
