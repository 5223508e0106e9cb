-- A virtual dataset for Superset: SQL Lab, then Save dataset. Charts of pay need none: add the views earnings and
-- daily_earnings as datasets.

-- Hotspots by H3 cell, for the deck.gl layer of H3 hexagons
SELECT printf('%x', h3_res_6) AS cell, count(*) AS hotspots
FROM hotspots
WHERE h3_res_6 IS NOT NULL
GROUP BY h3_res_6;
