// Registers the small values with Embind.
#include "values.hpp"

#include <emscripten/bind.h>

#include "rotary.hpp"
#include "visibility.hpp"

using namespace emscripten;  // NOLINT(google-build-using-namespace): the customary Embind block
using namespace headwise::bindings;

EMSCRIPTEN_BINDINGS(headwise_values) {
  register_optional<Number>();

  value_array<Dims>("Dims")
      .element(emscripten::index<0>())
      .element(emscripten::index<1>())
      .element(emscripten::index<2>())
      .element(emscripten::index<3>())
      .element(emscripten::index<4>())
      .element(emscripten::index<5>())
      .element(emscripten::index<6>())
      .element(emscripten::index<7>());

  value_object<StatusValue>("Status")
      .field("code", &StatusValue::code)
      .field("argument", &StatusValue::argument)
      .field("expected", &StatusValue::expected)
      .field("received", &StatusValue::received);

  value_object<TensorValue>("Tensor")
      .field("address", &TensorValue::address)
      .field("rank", &TensorValue::rank)
      .field("dims", &TensorValue::dims);

  value_object<VisibilityValue>("Visibility")
      .field("mask", &VisibilityValue::mask)
      .field("maskIsBoolean", &VisibilityValue::mask_is_boolean)
      .field("keyMask", &VisibilityValue::key_mask)
      .field("causal", &VisibilityValue::causal)
      .field("causalOffset", &VisibilityValue::causal_offset)
      .field("windowLeft", &VisibilityValue::window_left)
      .field("windowRight", &VisibilityValue::window_right)
      .field("softcap", &VisibilityValue::softcap)
      .field("headMask", &VisibilityValue::head_mask)
      .field("scoresPoint", &VisibilityValue::scores_point)
      .field("returnWeights", &VisibilityValue::return_weights);

  value_object<RotaryValue>("Rotary")
      .field("dim", &RotaryValue::dim)
      .field("base", &RotaryValue::base)
      .field("scaling", &RotaryValue::scaling)
      .field("interleaved", &RotaryValue::interleaved);
}
