//! The modules of scenes, with all names that are public.

pub mod arrows {
    //! Arrows and cones: forces, velocities, dipoles.
    //!
    //! ```
    //! use roundel::arrows::PaintedArrow;
    //! use roundel::spheres::{Camera, SphereScene};
    //! use roundel::{RenderSettings, Srgba8, render};
    //!
    //! let force = PaintedArrow::new([0.0, -1.0, 0.0], [0.0, 2.0, 0.0], 0.1, Srgba8::rgb(0xd6, 0x27, 0x28));
    //! let scene = SphereScene::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), 64, 48).with_arrows(&[force]);
    //! let frame = render(&scene.into(), &RenderSettings::default())?;
    //! assert_ne!(frame.pixel(32, 24), Some(Srgba8::WHITE));
    //! # Ok::<(), roundel::Error>(())
    //! ```

    #[doc(inline)]
    pub use roundel_scene::arrows::{PaintedArrow, PaintedCone};
}

pub mod circles {
    //! Circles and ellipses on a canvas: x to the right, y down, in pixels from the top-left corner.
    //!
    //! ```
    //! use roundel::circles::{CircleScene, PaintedCircle, PaintedEllipse, Stroke};
    //! use roundel::{RenderSettings, Srgba8, render};
    //!
    //! let red = Srgba8::rgb(0xd6, 0x27, 0x28);
    //! let mut scene = CircleScene::new(32, 24);
    //! scene.push(vec![PaintedCircle::new([16.0, 12.0], 8.0, red)]);
    //! scene.push(vec![PaintedEllipse::ring([16.0, 12.0], [12.0, 10.0], Stroke::new(2.0), Srgba8::BLACK)]);
    //! let frame = render(&scene.into(), &RenderSettings::default())?;
    //! assert_eq!(frame.pixel(16, 12), Some(red));
    //! assert_eq!(frame.pixel(4, 12), Some(Srgba8::BLACK), "the ring's left side");
    //! assert_eq!(frame.pixel(0, 0), Some(Srgba8::WHITE));
    //! # Ok::<(), roundel::Error>(())
    //! ```

    #[doc(inline)]
    pub use roundel_scene::circles::{
        Blend, Canvas, CircleScene, Layer, PaintedCircle, PaintedEllipse, PaintedSegment, Stroke, Style, ViewBox,
    };
}

pub mod cylinders {
    //! Cylinders in space: bonds, rods, the shafts of arrows.
    //!
    //! ```
    //! use roundel::cylinders::{Caps, PaintedCylinder};
    //! use roundel::spheres::{Camera, SphereScene};
    //! use roundel::{RenderSettings, Srgba8, render};
    //!
    //! // a bond, half grey and half red
    //! let bond = PaintedCylinder::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.3, Srgba8::rgb(0x90, 0x90, 0x90))
    //!     .with_end_color(Srgba8::rgb(0xff, 0x0d, 0x0d))
    //!     .with_caps(Caps::Round);
    //! let scene = SphereScene::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), 64, 48).with_cylinders(vec![bond]);
    //! let frame = render(&scene.into(), &RenderSettings::default())?;
    //! assert_ne!(frame.pixel(32, 24), Some(Srgba8::WHITE));
    //! # Ok::<(), roundel::Error>(())
    //! ```

    #[doc(inline)]
    pub use roundel_scene::cylinders::{Caps, PaintedCylinder};
}

pub mod ellipsoids {
    //! Ellipsoids in any orientation: thermal ellipsoids, grains, galaxies.
    //!
    //! ```
    //! use roundel::ellipsoids::PaintedEllipsoid;
    //! use roundel::glam::Quat;
    //! use roundel::spheres::{Camera, SphereScene};
    //! use roundel::{RenderSettings, Srgba8, render};
    //!
    //! let grain = PaintedEllipsoid::new([0.0; 3], [1.0, 0.5, 0.3], Srgba8::rgb(0x44, 0x77, 0xaa))
    //!     .with_rotation(Quat::from_xyzw(0.0, 0.0, 0.6, 0.8));
    //! let scene = SphereScene::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), 64, 48).with_ellipsoids(vec![grain]);
    //! let frame = render(&scene.into(), &RenderSettings::default())?;
    //! assert_ne!(frame.pixel(32, 24), Some(Srgba8::WHITE));
    //! # Ok::<(), roundel::Error>(())
    //! ```

    #[doc(inline)]
    pub use roundel_scene::ellipsoids::PaintedEllipsoid;
}

pub mod spheres {
    //! Spheres in front of a camera: a right-handed world with y up, in which the camera looks along −z of its own frame.
    //!
    //! ```
    //! use roundel::spheres::{Camera, PaintedSphere, SphereScene};
    //! use roundel::{RenderSettings, Srgba8, render};
    //!
    //! let spheres = vec![PaintedSphere::new([0.0, 0.0, 0.0], 1.0, Srgba8::rgb(0x44, 0x77, 0xaa))];
    //! let scene = SphereScene::new(Camera::look_at([0.0, 0.0, 5.0], [0.0; 3]), 64, 48).with_spheres(spheres);
    //! let frame = render(&scene.into(), &RenderSettings::default())?;
    //! assert_eq!(frame.pixel(0, 0), Some(Srgba8::WHITE), "the background");
    //! assert_ne!(frame.pixel(32, 24), Some(Srgba8::WHITE), "the sphere");
    //! # Ok::<(), roundel::Error>(())
    //! ```

    #[doc(hidden)]
    pub use roundel_scene::spheres::UpAxis;
    #[doc(inline)]
    pub use roundel_scene::spheres::{
        AmbientOcclusion, Anchor, Background, Camera, ClipPlane, DirectionalLight, Framing, Gloss, Light,
        PaintedSphere, Pose, Projection, Shading, ShadingNumber, ShadingOverrides, ShadingPreset, ShapeGroup, Shapes,
        SphereColors, SphereColumns, SphereGroup, SphereIter, SphereRadii, SphereScene, SphereStore, StandardView,
        Transparency, View,
    };
}
