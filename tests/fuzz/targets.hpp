/// The fuzz targets. Each takes any octets as if they came from outside, and checks what must hold
/// of the result.
///
/// A target is a function in a file of its name. It aborts (SMSRACK_CHECK, or a sanitizer) where
/// something is wrong, and gives 0. It depends on the input alone, so that a crash repeats.
/// libFuzzer calls one of them over and over (tools/fuzz); the test in this folder gives each the
/// files of its corpus (tests/fuzz/corpus/NAME), so a file is what the program would read: nothing
/// is put in front of it.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace smsrack::fuzz {

using Octets = std::span<const std::byte>;

int fuzz_at_channel(Octets input);
int fuzz_at_lines(Octets input);
int fuzz_board(Octets input);
int fuzz_causes(Octets input);
int fuzz_csv(Octets input);
int fuzz_event_line(Octets input);
int fuzz_hand_command(Octets input);
int fuzz_hand_over(Octets input);
int fuzz_http_api(Octets input);
int fuzz_json(Octets input);
int fuzz_modem(Octets input);
int fuzz_ndjson(Octets input);
int fuzz_numbers(Octets input);
int fuzz_pdu_lines(Octets input);
int fuzz_places(Octets input);
int fuzz_receiver_answer(Octets input);
int fuzz_reply(Octets input);
int fuzz_segments(Octets input);
int fuzz_settings(Octets input);
int fuzz_sim_control(Octets input);
int fuzz_sim_modem(Octets input);
int fuzz_smpp(Octets input);
int fuzz_smpp_session(Octets input);
int fuzz_submit_body(Octets input);
int fuzz_time_zone(Octets input);
int fuzz_times(Octets input);
int fuzz_topics(Octets input);
int fuzz_tpdu(Octets input);
int fuzz_url(Octets input);

struct Target {
    std::string_view name;
    int (*run)(Octets input);
};

inline constexpr std::array targets{
    Target{"at_channel", fuzz_at_channel},
    Target{"at_lines", fuzz_at_lines},
    Target{"board", fuzz_board},
    Target{"causes", fuzz_causes},
    Target{"csv", fuzz_csv},
    Target{"event_line", fuzz_event_line},
    Target{"hand_command", fuzz_hand_command},
    Target{"hand_over", fuzz_hand_over},
    Target{"http_api", fuzz_http_api},
    Target{"json", fuzz_json},
    Target{"modem", fuzz_modem},
    Target{"ndjson", fuzz_ndjson},
    Target{"numbers", fuzz_numbers},
    Target{"pdu_lines", fuzz_pdu_lines},
    Target{"places", fuzz_places},
    Target{"receiver_answer", fuzz_receiver_answer},
    Target{"reply", fuzz_reply},
    Target{"segments", fuzz_segments},
    Target{"settings", fuzz_settings},
    Target{"sim_control", fuzz_sim_control},
    Target{"sim_modem", fuzz_sim_modem},
    Target{"smpp", fuzz_smpp},
    Target{"smpp_session", fuzz_smpp_session},
    Target{"submit_body", fuzz_submit_body},
    Target{"time_zone", fuzz_time_zone},
    Target{"times", fuzz_times},
    Target{"topics", fuzz_topics},
    Target{"tpdu", fuzz_tpdu},
    Target{"url", fuzz_url},
};

}  // namespace smsrack::fuzz
