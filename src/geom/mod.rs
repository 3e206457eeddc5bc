//! Boxes, spheres, ellipsoids, planes and rays, and every test between them.
