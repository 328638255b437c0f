--[[ Keep the answer under a key.
  KEYS[1] the key
  ARGV[1] token of the holder   ARGV[2] the answer   ARGV[3] how long it is kept, milliseconds
  Returns 1 kept | 0 no longer held by this token ]]
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'answer', ARGV[2])
redis.call('HDEL', KEYS[1], 'token')
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
