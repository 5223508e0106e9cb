-- Virtual datasets for Superset: SQL Lab, then Save dataset. first and last are template parameters of SQL Lab, or
-- parameters of the dataset; ENABLE_TEMPLATE_PROCESSING must be on.

-- Sums by day
SELECT day, network, token, reward_type, shares, formatted, usd
FROM daily_earnings
WHERE day BETWEEN '{{ first }}' AND '{{ last }}';

-- Pay by hotspot
SELECT hotspot, name, owner, maker, network, token, sum(formatted) AS tokens, sum(usd) AS usd
FROM earnings
WHERE day BETWEEN '{{ first }}' AND '{{ last }}'
GROUP BY hotspot, name, owner, maker, network, token;

-- Hotspots by H3 cell, for the deck.gl layer of H3 hexagons
SELECT printf('%x', h3_res_6) AS cell, count(*) AS hotspots
FROM hotspots
WHERE h3_res_6 IS NOT NULL
GROUP BY h3_res_6;
