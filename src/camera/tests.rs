use super::*;

fn character_box() -> Aabb {
    Aabb { min: Vec3::new(-0.7, 0.0, -0.4), max: Vec3::new(0.8, 1.9, 0.5) }
}

#[test]
fn framed_box_is_inside_the_picture_at_any_aspect() {
    for aspect in [0.2, 0.5, 1.0, 1.78, 4.0] {
        let mut camera = OrbitCamera::default();
        camera.frame(&character_box().corners(), aspect);
        let view = camera.view(aspect);
        let mut widest = 0.0_f32;
        for corner in character_box().corners() {
            let seen = (view.projection_from_view * view.view_from_world).project_point3(corner);
            assert!(seen.x.abs() <= 1.0 && seen.y.abs() <= 1.0, "{corner} at aspect {aspect} is at {seen}");
            assert!((0.0..=1.0).contains(&seen.z), "{corner} is between near and far");
            widest = widest.max(seen.x.abs()).max(seen.y.abs());
        }
        assert!(widest > 0.7, "at aspect {aspect} the box fills only {widest} of the picture");
    }
}

#[test]
fn a_wide_scene_has_as_much_air_above_as_below() {
    let mut camera = OrbitCamera::default();
    let scene = Aabb { min: Vec3::new(-20.0, 0.0, -20.0), max: Vec3::new(20.0, 2.0, 20.0) };
    camera.frame(&scene.corners(), 0.1);
    camera.frame(&scene.corners(), 1.5);
    let view = camera.view(1.5);
    let heights = scene
        .corners()
        .map(|corner| (view.projection_from_view * view.view_from_world).project_point3(corner).y);
    let (lowest, highest) =
        heights.into_iter().fold((f32::MAX, f32::MIN), |(low, high), y| (low.min(y), high.max(y)));
    assert!((lowest + highest).abs() < 0.1, "from {lowest} to {highest}");
}

#[test]
fn frames_from_where_it_was_wished() {
    let mut framed = OrbitCamera::default();
    framed.frame(&character_box().corners(), 1.5);
    let mut wished = OrbitCamera::default();
    let target = Vec3::new(f32::NAN, 1.2, f32::NAN);
    wished.set_home_view(HomeView { target, yaw: -1.0, distance_share: 1.5, ..NO_HOME_VIEW });
    wished.frame(&character_box().corners(), 1.5);
    let (found, at) = (framed.current(), wished.current());
    assert_eq!((at.yaw, at.pitch, at.target.y), (-1.0, found.pitch, 1.2));
    let mut aside = OrbitCamera::default();
    aside.set_home_view(HomeView { yaw: -1.0, ..NO_HOME_VIEW });
    aside.frame(&character_box().corners(), 1.5);
    assert!((at.distance / aside.current().distance - 1.5).abs() < 1e-5);

    wished.orbit(0.5, 0.1);
    wished.reset();
    wished.advance(60.0);
    assert!(wished.is_home() && wished.current() == at);
}

#[test]
fn goes_round_by_itself_and_stays_at_home() {
    let mut camera = OrbitCamera::default();
    camera.frame(&character_box().corners(), 1.5);
    let yaw = camera.current().yaw;
    camera.spin = 0.5;
    for _ in 0..600 {
        assert!(camera.advance(0.1), "another frame looks different");
    }
    assert!(camera.is_home());
    let turned = (camera.current().yaw - yaw - 30.0).rem_euclid(TAU);
    assert!(turned.min(TAU - turned) < 1e-3, "off by {turned}");
    camera.spin = 0.0;
    assert!(!camera.advance(0.1));
}

#[test]
fn one_step_arrives_where_many_small_ones_do() {
    let mut once = OrbitCamera::default();
    once.orbit(1.0, 0.3);
    once.zoom(0.5);
    once.pan(0.1, 0.2);
    let mut often = once.clone();
    once.advance(0.1);
    for _ in 0..10 {
        often.advance(0.01);
    }
    let (once, often) = (once.current(), often.current());
    assert!((once.yaw - often.yaw).abs() < 1e-4 && (once.pitch - often.pitch).abs() < 1e-4);
    assert!((once.distance - often.distance).abs() < 1e-4);
    assert!((once.target - often.target).length() < 1e-4);
}

#[test]
fn comes_to_rest_exactly_at_the_goal() {
    let mut camera = OrbitCamera::default();
    assert!(!camera.advance(0.016), "nothing was asked of it");
    camera.orbit(2.0, -0.4);
    let steps = (0..1000).take_while(|_| camera.advance(0.016)).count();
    assert!(steps < 100, "{steps} steps");
    assert_eq!(camera.current(), camera.goal());
}

#[test]
fn pitch_and_distance_stay_within_limits() {
    let mut camera = OrbitCamera::default();
    camera.frame(&character_box().corners(), 1.0);
    camera.orbit(0.0, 100.0);
    camera.zoom(1e9);
    assert!(camera.goal().pitch < FRAC_PI_2);
    assert!(camera.goal().distance <= character_box().radius() * FARTHEST_IN_RADII);
    camera.orbit(0.0, -100.0);
    camera.zoom(0.0);
    assert!(camera.goal().pitch > -FRAC_PI_2);
    assert!(camera.goal().distance >= character_box().radius() * NEAREST_IN_RADII);
}

#[test]
fn input_that_is_not_finite_changes_nothing() {
    let mut camera = OrbitCamera::default();
    camera.frame(&character_box().corners(), 1.0);
    let before = camera.goal();
    camera.orbit(f32::NAN, f32::INFINITY);
    camera.zoom(f32::NAN);
    camera.pan(f32::NAN, 0.0);
    camera.frame(&[Vec3::NAN, Vec3::NAN], 1.0);
    assert_eq!(camera.goal(), before);
    assert!(camera.view(f32::NAN).projection_from_view.is_finite());
}

#[test]
fn is_home_until_it_is_moved() {
    let mut camera = OrbitCamera::default();
    camera.frame(&character_box().corners(), 1.0);
    assert!(camera.is_home());
    camera.orbit(0.1, 0.0);
    assert!(!camera.is_home());
    camera.reset();
    while camera.advance(0.1) {}
    assert!(camera.is_home());
}

#[test]
fn reset_returns_to_the_framed_view_the_short_way() {
    let mut camera = OrbitCamera::default();
    camera.frame(&character_box().corners(), 1.0);
    let home = camera.goal();
    camera.orbit(3.0 * TAU + 0.1, 0.2);
    camera.jump_to_goal();
    camera.reset();
    assert!((camera.goal().yaw - camera.current().yaw).abs() < 0.2);
    camera.jump_to_goal();
    let (now, then) = (camera.view(1.0).view_from_world, {
        camera.set_goal(home);
        camera.jump_to_goal();
        camera.view(1.0).view_from_world
    });
    assert!(now.abs_diff_eq(then, 1e-4));
}

#[test]
fn panning_right_moves_the_picture_right() {
    let mut camera = OrbitCamera::default();
    camera.frame(&character_box().corners(), 1.0);
    let center = camera.goal().target;
    camera.pan(0.25, 0.0);
    camera.jump_to_goal();
    let view = camera.view(1.0);
    let seen = (view.projection_from_view * view.view_from_world).project_point3(center);
    assert!(
        (seen.x - 0.5).abs() < 1e-3 && seen.y.abs() < 1e-3,
        "a quarter of the height is half a unit: {seen}"
    );
}

#[test]
fn a_single_point_can_be_framed() {
    let mut camera = OrbitCamera::default();
    camera.frame(&[Vec3::ONE, Vec3::ONE], 1.0);
    assert!(camera.view(1.0).view_from_world.is_finite());
    assert!(camera.view(1.0).projection_from_view.is_finite());
}

/// Returns the left, bottom, right and top end of the points, from −1 to 1 across the canvas.
fn extent(camera: &OrbitCamera, points: &[Vec3], aspect: f32) -> [f32; 4] {
    let View { view_from_world, projection_from_view, .. } = camera.view(aspect);
    let seen = points.iter().map(|&point| (projection_from_view * view_from_world).project_point3(point));
    seen.fold([f32::MAX, f32::MAX, f32::MIN, f32::MIN], |[left, bottom, right, top], at| {
        assert!((0.0..=1.0).contains(&at.z), "{at} is before the near plane or behind the far one");
        [left.min(at.x), bottom.min(at.y), right.max(at.x), top.max(at.y)]
    })
}

#[test]
fn what_is_framed_fills_what_the_insets_leave_and_is_in_its_middle() {
    let insets = Insets { top: 0.1, right: 0.3, bottom: 0.25, left: 0.0 };
    let corners = character_box().corners();
    for (aspect, orthographic) in [(0.5, false), (1.0, true), (2.5, false), (2.5, true)] {
        let mut camera = OrbitCamera::default();
        camera.set_orthographic(orthographic);
        camera.set_insets(insets);
        camera.frame(&corners, aspect);
        let [left, bottom, right, top] = extent(&camera, &corners, aspect);
        assert!(left > -1.0 && right < 0.4 && bottom > -0.5 && top < 0.8, "{left} {bottom} {right} {top}");
        assert!((left + right + 0.6).abs() < 0.01 && (bottom + top - 0.3).abs() < 0.01, "in the middle");
        let filled = ((right - left) / 1.4).max((top - bottom) / 1.3);
        assert!(filled > 0.9, "{filled} of what is free");
    }
    let mut covered = OrbitCamera::default();
    covered.set_insets(Insets { top: 3.0, right: 0.9, bottom: 0.5, left: f32::NAN });
    covered.frame(&corners, 1.0);
    let [left, bottom, right, top] = extent(&covered, &corners, 1.0);
    assert!(left > -1.0 && bottom > -1.0 && right < 1.0 && top < 1.0, "whatever is covered");
}

#[test]
fn insets_move_the_picture_smoothly() {
    let mut camera = OrbitCamera::default();
    camera.frame(&character_box().corners(), 1.0);
    camera.set_insets(Insets { bottom: 0.2, ..Insets::default() });
    assert_eq!(camera.target_in_picture(), Vec2::ZERO);
    assert!(camera.advance(0.05));
    let between = camera.target_in_picture().y;
    assert!(between > 0.05 && between < 0.15, "{between}");
    while camera.advance(0.1) {}
    assert_eq!(camera.target_in_picture(), Vec2::new(0.0, 0.2));
}

#[test]
fn what_turns_is_in_view_from_every_side_and_no_farther_than_that_takes() {
    // A long bar along x: a circle around its box would be as wide from every side.
    let bar = [-2.0, 2.0].map(|x| [0.0, 0.4].map(|y| [-0.1, 0.1].map(|z| Vec3::new(x, y, z))));
    let points: Vec<Vec3> = bar.as_flattened().as_flattened().to_vec();
    let mut camera = OrbitCamera { spin: 1.0, ..OrbitCamera::default() };
    camera.frame(&points, 1.0);
    let mut widest = 0.0_f32;
    for _ in 0..100 {
        let ends = extent(&camera, &points, 1.0);
        widest = ends.iter().fold(widest, |widest, end| widest.max(end.abs()));
        assert!(widest <= 1.0, "out of view: {widest}");
        camera.advance(0.0628);
    }
    assert!(widest > 0.94, "only {widest} of the picture is used");
}

#[test]
fn moves_keep_the_viewer_above_the_floor_unless_a_limit_says_otherwise() {
    let mut camera = OrbitCamera { floor: Some(0.0), ..OrbitCamera::default() };
    camera.frame(&character_box().corners(), 1.0);
    let moves: [fn(&mut OrbitCamera); 3] =
        [|camera| camera.orbit(0.0, -9.0), |camera| camera.zoom(3.0), |camera| camera.pan(0.0, -2.0)];
    for round in 0..9 {
        moves[round % 3](&mut camera);
        let eye = camera.goal().eye().y;
        assert!(eye > 0.0 && eye.is_finite(), "after move {round} it is at {eye}");
    }
    camera.reset();
    camera.set_orthographic(true);
    camera.orbit(0.0, -9.0);
    assert!(camera.goal().pitch > -1e-3, "parallel lines of sight come from above");
    camera.set_orthographic(false);

    // `set_goal` may bring the viewer below the floor, and moves don't bring it lower.
    camera.set_goal(Orbit { pitch: -0.9, ..camera.goal() });
    let sunk = camera.goal().eye().y;
    assert!(sunk < 0.0);
    camera.orbit(0.3, -0.2);
    assert!((camera.goal().eye().y - sunk).abs() < 1e-3);
    camera.set_limits(Limits { pitch: [-1.5, 1.0], ..NO_LIMITS });
    camera.orbit(0.0, -0.5);
    assert!((camera.goal().pitch + 1.4).abs() < 1e-3);
}

#[test]
fn limits_hold_for_every_way_of_moving() {
    let mut camera = OrbitCamera::default();
    camera.frame(&character_box().corners(), 1.0);
    camera.set_limits(Limits { yaw: [-0.4, 0.4], pitch: [0.1, f32::NAN], distance: [6.0, 7.0] });
    assert!((camera.goal().yaw - 0.4).abs() < 1e-6 && camera.goal().distance >= 6.0);
    camera.orbit(-9.0, -9.0);
    camera.zoom(100.0);
    assert_eq!((camera.goal().yaw, camera.goal().pitch, camera.goal().distance), (-0.4, 0.1, 7.0));
    camera.set_goal(Orbit { yaw: 9.0, pitch: 9.0, distance: 0.0, ..camera.goal() });
    assert_eq!((camera.goal().yaw, camera.goal().pitch, camera.goal().distance), (0.4, PITCH_LIMIT, 6.0));
    camera.spin = -1.0;
    for _ in 0..20 {
        camera.advance(0.1);
    }
    assert_eq!(camera.current().yaw, -0.4);
    // A minimum above the maximum wins.
    camera.set_limits(Limits { distance: [9.0, 2.0], ..NO_LIMITS });
    assert_eq!(camera.goal().distance, 9.0);
}

#[test]
fn an_orthographic_picture_shows_depth_in_no_size() {
    let mut camera = OrbitCamera::default();
    camera.set_orthographic(true);
    let corners = character_box().corners();
    camera.frame(&corners, 1.5);
    let View { view_from_world, projection_from_view, position_in_world } = camera.view(1.5);
    let at = |point| (projection_from_view * view_from_world).project_point3(point);
    let back = camera.current().towards_viewer();
    let (near, far) = (at(Vec3::Y + back), at(Vec3::Y - back));
    assert!((near - far).truncate().length() < 1e-5 && near.z < far.z);
    assert!((position_in_world - Vec3::Y).normalize().distance(back) < 1e-2);
    // Both projections show the same extent at the target.
    let target = camera.current().target;
    let beside = target + camera.current().axes(0.0).right * 0.3;
    let across = at(beside).x;
    camera.set_orthographic(false);
    let View { view_from_world, projection_from_view, .. } = camera.view(1.5);
    let foreshortened = (projection_from_view * view_from_world).project_point3(beside).x;
    assert!((across - foreshortened).abs() < 1e-5, "{across} and {foreshortened}");
}

#[test]
fn a_camera_that_leans_right_shows_what_is_up_on_the_left() {
    let mut camera = OrbitCamera::default();
    camera.frame(&character_box().corners(), 1.0);
    camera.set_roll(0.5);
    let target = camera.current().target;
    let above = extent(&camera, &[target + Vec3::Y * 0.5], 1.0);
    assert!(above[0] < -0.05 && above[1] > 0.05, "{above:?}");
    camera.frame(&character_box().corners(), 1.0);
    let ends = extent(&camera, &character_box().corners(), 1.0);
    assert!(ends.iter().all(|end| end.abs() < 1.0), "{ends:?}");
}
