--[[ One lease of one pod: tokens and gate of a scope in one atomic step. The twin is src/coordinator/decide-lease.ts.
  KEYS[1] state of the scope (msgpack)   KEYS[2] channel of the scope's edges
  ARGV[1] pod   ARGV[2] R, units per second   ARGV[3] mode
  ARGV[4] shares, ARGV[5] demand (units), ARGV[6] ownership (0..1), ARGV[7] pressing (0|1): each "P1,P2,P3"
  ARGV[8] a press counts for, ms   ARGV[9] wants stock (0|1)   ARGV[10] P1 units started since the last call
  ARGV[11] slots given up, "n,n,..."   ARGV[12] grid of those slots   ARGV[13] highest sequence seen
  ARGV[14] horizon, ms   ARGV[15] calls again within, ms   ARGV[16] longest block, ms
  ARGV[17] time, epoch ms; "" = the server's clock (anything else is for tests)
  ARGV[18] lifetime of the state, ms   ARGV[19] version of the pod's catalogue
  Returns 1 now (ms)  2 run  3 sequence  4 grid  5 origin (ms)  6 step (ms)
          7 slots P1  8 slots P2  9 slots P3  10 minimum-share slots P2  11 minimum-share slots P3: each "n,n,..."
          12 holds "P1 pod until;..." (ms)  13 blocked since "P1,P2,P3" (ms, 0 = open)
          14 pods  15 R that counts  16 standing tokens allowed
          17 oldest  18 newest catalogue version of the live pods  19 shares that count "P1,P2,P3"  ]]
local EPSILON, PACE, STOCK, PRESENCE, MINIMUM, FULL, WINDOW, LAST_CALL = 1e-9, 0.98, 0.02, 2000, 0.02, 0.8, 10, 0.5
local NEW_LIFE_AHEAD = 1000
local SLACK, WHOLE, MEMORY = 1, 0.99, 3600000

local function numbers(text)
  local out = {}
  for n in string.gmatch(text, '[^,]+') do out[#out + 1] = tonumber(n) end
  return out
end
local function exact(n) return string.format('%.17g', n) end
local function joined(list)
  local out = {}
  for i, n in ipairs(list) do out[i] = exact(n) end
  return table.concat(out, ',')
end

local now
if ARGV[17] == '' then
  local t = redis.call('TIME')
  now = t[1] * 1000 + t[2] / 1000
else
  now = tonumber(ARGV[17])
end
local name, mode = ARGV[1], ARGV[3]
local shares, demand, ownership, pressing = numbers(ARGV[4]), numbers(ARGV[5]), numbers(ARGV[6]), numbers(ARGV[7])
local horizon, seen = tonumber(ARGV[14]), tonumber(ARGV[13])

-- The state; one that nobody remembers, older than what the pod has seen, or of a clock that went back, starts empty and
-- after all earlier grants.
local s
local packed = redis.call('GET', KEYS[1])
if packed then s = cmsgpack.unpack(packed) end
if not s or s.sequence < seen or now < s.at - SLACK then
  local whole, sequence, grid = { 0, 0, 0 }, seen, math.floor(now)
  if s then
    for c = 1, 3 do if s.whole[c] > s.at then whole[c] = now + MEMORY end end
    sequence, grid = math.max(seen, s.sequence), math.max(grid, s.grid + 1)
  end
  sequence = sequence + NEW_LIFE_AHEAD
  s = { run = string.format('%.0f', math.floor(now * 1000)), sequence = sequence, ordinals = 0, grid = grid, whole = whole,
    origin = now + horizon, step = 0, base = 0, owners = {}, pods = {}, since = { 0, 0, 0 }, minimum = { 0, 0, 0 }, p1 = {}, shares = shares }
end
s.at, s.shares = now, s.shares or shares

-- The pod. Pods are a list, in the order they came.
local pods, pod = {}, nil
for _, p in ipairs(s.pods) do
  if p.seenAt >= now - PRESENCE then
    pods[#pods + 1] = p
    if p.name == name then pod = p end
  end
end
if not pod then
  s.ordinals = s.ordinals + 1
  pod = { name = name, ordinal = s.ordinals, press = { 0, 0, 0 }, allowed = 0, issued = 0, heardUntil = 0 }
  pods[#pods + 1] = pod
end
s.pods = pods
pod.seenAt, pod.rate, pod.version = now, tonumber(ARGV[2]), tonumber(ARGV[19])
-- A pod that does not get its answers is alone or soon will be: it is heard no longer than it knows of.
if seen >= pod.issued then pod.heardUntil = now + tonumber(ARGV[15]) end
pod.demand, pod.ownership, pod.stock = demand, ownership, ARGV[9] == '1'
local pressed = false
for c = 1, 3 do
  if pressing[c] == 1 then
    pod.press[c] = math.max(pod.press[c], now + tonumber(ARGV[8]))
    pressed = true
  end
end

-- The grid: a new rate starts a new one after the last slot held.
local rate = math.huge
for _, p in ipairs(pods) do rate = math.min(rate, p.rate) end
local function due(slot) return s.origin + slot * s.step end
local step = 1000 / (rate * PACE)
if math.abs(step - s.step) >= EPSILON then
  local last = -math.huge
  for i = 1, #s.owners do if s.owners[i] ~= 0 then last = due(s.base + i - 1) end end
  s.origin = s.step > 0 and step <= STOCK * s.step and now or math.max(now, due(s.base), last + step)
  s.step, s.grid, s.base, s.owners = step, s.grid + 1, 0, {}
end

local freed = 0
if tonumber(ARGV[12]) == s.grid then
  for _, slot in ipairs(numbers(ARGV[11])) do
    local i = slot - s.base + 1
    if s.owners[i] == pod.ordinal then
      s.owners[i] = 0
      freed = freed + 1
    end
  end
end

local first = math.max(s.base, math.ceil((now - s.origin) / s.step - EPSILON))
local owners, past = {}, first - s.base
for i = past + 1, #s.owners do owners[#owners + 1] = s.owners[i] end
s.base = first
local size = math.max(0, math.floor((now + horizon - s.origin) / s.step + EPSILON) - first + 1)
while #owners < size do owners[#owners + 1] = 0 end
s.owners = owners

-- P1's use over the window.
local second, use, started = math.floor(now / 1000), {}, tonumber(ARGV[10])
local p1 = 0
for _, e in ipairs(s.p1) do if e[1] > second - WINDOW - 1 then use[#use + 1] = e end end
if started > 0 then
  local e = use[#use]
  if e and e[1] == second then e[2] = e[2] + started else use[#use + 1] = { second, started } end
end
s.p1 = use
for _, e in ipairs(use) do p1 = p1 + e[2] * (e[1] == second - WINDOW and 1 - (now / 1000 - second) or 1) end

-- The gate: a class is blocked while any class above it presses in any pod.
local blocked = { false, false, false }
if mode ~= 'noop' then
  for _, p in ipairs(pods) do
    if p.press[1] > now then blocked[2], blocked[3] = true, true end
    if p.press[2] > now then blocked[3] = true end
  end
end

-- The minimum share of a class blocked too long.
local is_heard = pod.heardUntil > now
local minimum = { {}, {}, {} }
local every = 1000 / (rate * MINIMUM)
for c = 2, 3 do
  local since = s.since[c]
  if is_heard and blocked[c] and since ~= 0 and now - since > tonumber(ARGV[16]) and p1 < FULL * rate * WINDOW then
    s.minimum[c] = math.max(s.minimum[c], now)
    local left = demand[c]
    while left > 0 and s.minimum[c] <= now + horizon do
      local found
      for i = 1, size do
        if owners[i] == 0 and due(s.base + i - 1) >= s.minimum[c] - EPSILON then
          found = i
          break
        end
      end
      if not found then break end
      owners[found] = pod.ordinal
      table.insert(minimum[c], s.base + found - 1)
      s.minimum[c] = math.max(s.minimum[c], due(s.base + found - 1)) + every
      left = left - 1
    end
  end
end

-- What each class gets of the window: its share first, then what others leave.
local heard, fraction = {}, 0
for _, p in ipairs(pods) do if p.heardUntil > now then heard[#heard + 1] = p end end
local function wish(p, c) return blocked[c] and 0 or p.demand[c] end
local wanted = { 0, 0, 0 }
for c = 1, 3 do
  local part = 0
  for _, p in ipairs(heard) do
    part = part + p.ownership[c]
    wanted[c] = wanted[c] + wish(p, c)
  end
  if part >= WHOLE then s.whole[c] = now + MEMORY end
  local split = part > 0 or s.whole[c] > now
  fraction = fraction + s.shares[c] * ((split and part < WHOLE) and part or 1)
end
-- The shares of the newest catalogue count, taken over only while nobody spends by those before on its own.
local oldest, newest = math.huge, -math.huge
for _, p in ipairs(pods) do oldest, newest = math.min(oldest, p.version or 0), math.max(newest, p.version or 0) end
if fraction >= WHOLE and pod.version >= newest then s.shares = shares end
shares = s.shares
local capacity = size * fraction
local totals, left = {}, capacity
for c = 1, 3 do
  totals[c] = math.min(wanted[c], shares[c] * capacity)
  left = left - totals[c]
end
for c = 1, 3 do
  local more = math.min(math.max(left, 0), wanted[c] - totals[c])
  totals[c] = totals[c] + more
  left = left - more
end

-- What this pod gets of each class: small wishes in full, large ones equally.
local function fair(total, c)
  local list, own = {}, wish(pod, c)
  for _, p in ipairs(heard) do if wish(p, c) > 0 then list[#list + 1] = wish(p, c) end end
  table.sort(list)
  local rest = total
  for i, w in ipairs(list) do
    local equal = rest / (#list - i + 1)
    if w > equal then return math.min(own, equal) end
    if w >= own then return own end
    rest = rest - w
  end
  return math.min(own, rest)
end
local part = { fair(totals[1], 1), fair(totals[2], 2), fair(totals[3], 3) }
local own, all = part[1] + part[2] + part[3], totals[1] + totals[2] + totals[3]

-- With a part of R withheld, only that part of the slots is granted, evenly spread: however often pods ask, together they
-- get no more.
local function belongs(slot)
  return fraction >= 1 or math.floor((slot + 1) * fraction + EPSILON) > math.floor(slot * fraction + EPSILON)
end
local last_call = now + horizon * LAST_CALL
local slots = {}
local function spread(count, weight)
  if count <= 0 then return end
  local taken, stride, nxt = 0, 1 / weight, 0
  for i = 1, size do
    if taken >= count then return end
    if owners[i] == pod.ordinal then
      nxt = math.max(nxt, i - 1) + stride
    elseif owners[i] == 0 and i - 1 >= nxt - EPSILON and belongs(s.base + i - 1) then
      owners[i] = pod.ordinal
      slots[#slots + 1] = s.base + i - 1
      taken = taken + 1
      nxt = math.max(nxt, i - 1 - stride) + stride
    end
  end
  for i = 1, size do
    if taken >= count or due(s.base + i - 1) >= last_call then return end
    if owners[i] == 0 and belongs(s.base + i - 1) then
      owners[i] = pod.ordinal
      slots[#slots + 1] = s.base + i - 1
      taken = taken + 1
    end
  end
end
local held = 0
for i = 1, size do if owners[i] == pod.ordinal then held = held + 1 end end
local want = (fraction < 1 and math.floor(own + EPSILON) or math.ceil(own - EPSILON)) - held
local granted = { {}, {}, {} }
if want > 0 and is_heard then
  spread(math.min(want, math.max(0, math.ceil(part[1] - EPSILON) - held)), part[1] / totals[1] * fraction)
  spread(want - #slots, own / all * fraction)
  table.sort(slots)
  local b1 = math.ceil(#slots * part[1] / own - EPSILON)
  local b2 = math.ceil(#slots * (part[1] + part[2]) / own - EPSILON)
  for i, slot in ipairs(slots) do table.insert(granted[i <= b1 and 1 or i <= b2 and 2 or 3], slot) end
end

-- Since when each class is blocked: a lease by a pod that wants it and finds it open ends it.
for c = 1, 3 do
  local any = false
  for _, p in ipairs(pods) do any = any or p.demand[c] > 0 end
  if not blocked[c] then
    if demand[c] > 0 or not any then s.since[c] = 0 end
  elseif s.since[c] == 0 and any then
    s.since[c] = now
  end
end

-- The standing stock: this pod's part, never more than the others leave.
local stock, holders, rank, others = math.floor(rate * STOCK + EPSILON), 0, 0, 0
for _, p in ipairs(pods) do
  if p.stock then
    if p == pod then rank = holders end
    holders = holders + 1
  end
  if p ~= pod then others = others + p.allowed end
end
pod.allowed = 0
if pod.stock then
  local target = math.floor(stock / holders) + (rank < stock % holders and 1 or 0)
  pod.allowed = math.max(0, math.min(target, stock - others))
end

s.sequence = s.sequence + 1
pod.issued = s.sequence
redis.call('SET', KEYS[1], cmsgpack.pack(s), 'PX', ARGV[18])

local holds, mine = {}, {}
for _, p in ipairs(pods) do
  for c = 1, 3 do
    if p.press[c] > now then
      local text = 'P' .. c .. ' ' .. p.name .. ' ' .. exact(p.press[c])
      holds[#holds + 1] = text
      if p == pod and pressing[c] == 1 then mine[#mine + 1] = text end
    end
  end
end
if pressed then redis.call('PUBLISH', KEYS[2], 'press ' .. name .. ';' .. table.concat(mine, ';')) end
if freed > 0 then redis.call('PUBLISH', KEYS[2], 'freed ' .. name) end
return { exact(now), s.run, s.sequence, exact(s.grid), exact(s.origin), exact(s.step),
  joined(granted[1]), joined(granted[2]), joined(granted[3]), joined(minimum[2]), joined(minimum[3]),
  table.concat(holds, ';'), joined(s.since), #pods, exact(rate), pod.allowed,
  oldest, newest, joined(s.shares) }
