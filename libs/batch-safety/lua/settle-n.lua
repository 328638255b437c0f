--[[ Settles claims. Twin: src/idempotency/claim-table.ts.
  KEYS[i]   claim of item i
  ARGV[1] life of done, ms   ARGV[2] life of dead, ms
  ARGV[3i] "done" | "dead" | "release"   ARGV[3i + 1] generation   ARGV[3i + 2] owner
  Values as in claim-n.lua. Returns how many items changed. ]]
local doneMs, deadMs = ARGV[1], ARGV[2]
local changed = 0

local function parse(value)
  local held, dead, taken, deadline, holder = string.match(value, '^R(%d+)|(-?%d+)|(%d)|(%d+)|(.*)$')
  return tonumber(held), tonumber(dead), taken, deadline, holder
end

local function bury(key, value, generation)
  local state = value and string.sub(value, 1, 1)
  if state == 'D' then return 0 end
  if state == 'X' then generation = math.max(generation, tonumber(string.sub(value, 2))) end
  if state == 'R' then
    local held, dead, taken, deadline, holder = parse(value)
    generation = math.max(generation, dead or -1)
    if held and held > generation then
      -- A later replay is under way: it goes on, and remembers this death.
      redis.call('SET', key, string.format('R%d|%d|%s|%s|%s', held, generation, taken, deadline, holder), 'KEEPTTL')
      return 1
    end
  end
  redis.call('SET', key, 'X' .. string.format('%d', generation), 'PX', deadMs)
  return 1
end

local function release(key, value, owner)
  if not value or string.sub(value, 1, 1) ~= 'R' then return 0 end
  local _, dead, _, _, holder = parse(value)
  if holder ~= owner then return 0 end
  if dead >= 0 then
    redis.call('SET', key, 'X' .. string.format('%d', dead), 'PX', deadMs)
  else
    redis.call('DEL', key)
  end
  return 1
end

for i, key in ipairs(KEYS) do
  local op, generation, owner = ARGV[3 * i], tonumber(ARGV[3 * i + 1]), ARGV[3 * i + 2]
  if op == 'done' then
    redis.call('SET', key, 'D', 'PX', doneMs)
    changed = changed + 1
  elseif op == 'dead' then
    changed = changed + bury(key, redis.call('GET', key), generation)
  else
    changed = changed + release(key, redis.call('GET', key), owner)
  end
end
return changed
