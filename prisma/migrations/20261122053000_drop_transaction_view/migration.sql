-- Which kinds there are is said by the services present, not by a view that would have to name each.
DROP VIEW "events"."transaction";
