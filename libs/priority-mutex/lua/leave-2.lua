--[[ A pod leaves a scope: its slots, holds and stock are free at once. The twin is decideLeave in decide-lease.ts.
  KEYS[1] state of the scope (msgpack)   KEYS[2] channel of the scope's edges
  ARGV[1] pod   ARGV[2] lifetime of the state, ms
  Returns slots that came free ]]
local packed = redis.call('GET', KEYS[1])
if not packed then return 0 end
local s = cmsgpack.unpack(packed)
local pods, gone = {}, nil
for _, p in ipairs(s.pods) do
  if p.name == ARGV[1] then gone = p else pods[#pods + 1] = p end
end
if not gone then return 0 end
s.pods = pods
local ordinal = gone.ordinal
-- A class that it ran alone is not kept from the others.
for c = 1, 3 do
  local alone = gone.ownership[c] >= 0.99
  for _, p in ipairs(pods) do alone = alone and p.ownership[c] == 0 end
  if alone then s.whole[c] = 0 end
end
s.sequence = s.sequence + 1
local freed = 0
for i = 1, #s.owners do
  if s.owners[i] == ordinal then
    s.owners[i] = 0
    freed = freed + 1
  end
end
redis.call('SET', KEYS[1], cmsgpack.pack(s), 'PX', ARGV[2])
if freed > 0 then redis.call('PUBLISH', KEYS[2], 'freed ' .. ARGV[1]) end
return freed
