--[[ Claims a group of items for one owner. Twin: src/idempotency/claim-table.ts.
  KEYS[i]   claim of item i
  ARGV[1] owner   ARGV[2] reservation, ms   ARGV[3] life of a reservation, ms   ARGV[3 + i] generation of item i
  Values: "D" done | "X<generation>" dead | "R<generation>|<dead generation or -1>|<0 or 1 taken over>|<deadline>|<owner>"
  Returns for each item: -1 new | -2 done | -3 takeover | >= 0 busy for that many ms ]]
local owner, reserveMs, lifeMs = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local answers, seen = {}, {}

local function reserve(key, generation, dead, taken)
  local value = string.format('R%d|%d|%d|%d|%s', generation, dead, taken, now + reserveMs, owner)
  redis.call('SET', key, value, 'PX', lifeMs)
end

local function judge(key, generation)
  local value = redis.call('GET', key)
  if not value then
    reserve(key, generation, -1, 0)
    return -1
  end
  local state = string.sub(value, 1, 1)
  if state == 'D' then return -2 end
  if state == 'X' then
    local dead = tonumber(string.sub(value, 2))
    if generation <= dead then return -2 end
    reserve(key, generation, dead, 0)
    return -1
  end
  local held, dead, taken, deadline, holder = string.match(value, '^R(%d+)|(-?%d+)|(%d)|(%d+)|(.*)$')
  if not held then
    -- Not written by us: somebody had it, so a send may have happened.
    reserve(key, generation, -1, 1)
    return -3
  end
  held, dead, taken, deadline = tonumber(held), tonumber(dead), tonumber(taken), tonumber(deadline)
  if generation <= dead then return -2 end
  if holder ~= owner then
    if now < deadline then return deadline - now end
    taken = 1
  end
  reserve(key, math.max(held, generation), dead, taken)
  if taken == 1 then return -3 end
  return -1
end

for i, key in ipairs(KEYS) do
  if seen[key] then
    answers[i] = reserveMs
  else
    seen[key] = true
    answers[i] = judge(key, tonumber(ARGV[3 + i]))
  end
end
return answers
