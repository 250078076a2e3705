/// The answer to a command: information lines and a final result code.
#pragma once

#include "tools/modem_model/core.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace smsrack::modem_sim {

enum class Final : std::uint8_t {
    ok,
    torn_ok,  ///< OK, cut in two by a URC
    error,
    cme,     ///< +CME ERROR, or ERROR without AT+CMEE=1
    cms,     ///< +CMS ERROR, likewise
    silent,  ///< no final result code: +CPIN: READY of a WAVECOM
    prompt,
    later,    ///< a submit is with the network
    restart,  ///< OK, and then the modem restarts
};

struct Answer {
    Final final = Final::ok;
    int code = 0;
    std::string lines = {};  ///< as they leave, line ends included
};

[[nodiscard]] inline Answer ok() {
    return {};
}
[[nodiscard]] inline Answer error() {
    return {.final = Final::error};
}
[[nodiscard]] inline Answer cme(int code) {
    return {.final = Final::cme, .code = code};
}
[[nodiscard]] inline Answer cms(int code) {
    return {.final = Final::cms, .code = code};
}

/// One more line of information.
inline void add_line(Answer& answer, std::string_view text) {
    answer.lines += "\r\n";
    answer.lines += text;
    answer.lines += "\r\n";
}
[[nodiscard]] inline Answer info(std::string_view text) {
    Answer answer;
    add_line(answer, text);
    return answer;
}

/// "OK", "+CMS ERROR: 500", ...
[[nodiscard]] std::string final_text(const Core& core, Final final, int code);

/// Puts it out: lines and final result code, or the prompt.
void say(Core& core, SteadyTime at, const Answer& answer);

/// Puts out the text of an answer, as the line lets it through.
void say_answer(Core& core, SteadyTime at, std::string text, bool is_ok);

inline constexpr int cms_sim_absent = 310;

/// Why SMS commands can't work now; 0 where they can.
[[nodiscard]] int sms_trouble(const Core& core);

}  // namespace smsrack::modem_sim
