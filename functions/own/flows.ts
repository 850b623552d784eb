/** Your own flows. Names must stay: what runs is known by them. */
export const ownFlows = {};
