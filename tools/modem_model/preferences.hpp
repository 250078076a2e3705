/// The settings that the host can change: three sets, as a WAVECOM keeps them.
///
/// General settings last until a restart unless AT&W saved them; SMS settings unless AT&W or AT+CSAS
/// did (firmware differs in which of them does); +WIND and the service centre are saved at once.
/// Source:  3GPP TS 27.005 3.3.5; ITU-T V.250 6.2.10 (+IPR).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace smsrack::modem_sim {

/// A setting that the model keeps and answers but that changes nothing else.
struct PlainSetting {
    std::string_view name;
    std::string_view initial;
    std::string_view range;  ///< the answer to =?
    int highest;             ///< of every number in it; below 0: any text
};

inline constexpr std::array plain_settings{
    PlainSetting{"+CMMS", "0", "(0-2)", 2},
    PlainSetting{"+CSDH", "0", "(0,1)", 1},
    PlainSetting{"+CGSMS", "1", "(0-3)", 3},
    PlainSetting{"+CLIP", "0", "(0,1)", 1},
    PlainSetting{"+CRC", "0", "(0,1)", 1},
    PlainSetting{"+CR", "0", "(0,1)", 1},
    PlainSetting{"+CCWA", "0", "(0,1)", 1},
    PlainSetting{"+CLIR", "0", "(0-2)", 2},
    PlainSetting{"+CMUX", "0", "(0)", 0},
    PlainSetting{"+IFC", "2,2", "(0,2),(0,2)", 2},
    PlainSetting{"+ICF", "3,4", "(1-6),(0-4)", 6},
    PlainSetting{"+CSCB", R"(1,"","")", "(0,1)", -1},
    PlainSetting{"+CSMP", "17,167,0,0", "", 255},
    PlainSetting{"+CSCS", R"("GSM")", R"(("GSM","PCCP437","CUSTOM","HEX"))", -1},
    PlainSetting{"+CTZU", "0", "(0,1)", 1},
};

using PlainValues = std::array<std::string, plain_settings.size()>;

[[nodiscard]] inline PlainValues initial_values() {
    PlainValues values;
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = plain_settings[i].initial;
    }
    return values;
}

struct GeneralPreferences {
    bool echo = true;
    bool extended_errors = false;  ///< +CMEE: 1
    int creg = 0;
    int cops_format = 0;
    unsigned baud = 115'200;  ///< +IPR
    PlainValues plain = initial_values();
};

/// What the host set one of `plain_settings` to; empty where there is none of this name.
[[nodiscard]] inline std::string_view plain_value(const GeneralPreferences& preferences,
                                                  std::string_view name) {
    for (std::size_t i = 0; i < plain_settings.size(); ++i) {
        if (plain_settings[i].name == name) {
            return preferences.plain[i];
        }
    }
    return {};
}

/// 3GPP TS 27.005 3.4.1. Every <mode> is taken and works as 2: hold while the line is in use, then
/// report.
struct Cnmi {
    int mode = 0;
    int mt = 1;
    int bm = 0;
    int ds = 0;
    int bfr = 0;
};

struct SmsPreferences {
    Cnmi cnmi = {};
    bool phase2plus = false;  ///< +CSMS: 1
};

/// 3GPP TS 27.005 3.1: "SM", "SR", "BM" (cell broadcasts, of which none comes), "ME".
enum class Memory : std::uint8_t { sim, reports, broadcasts, phone };

/// Gone with every restart.
struct VolatilePreferences {
    Memory reading = Memory::sim;  ///< CPMS <mem1>
    Memory writing = Memory::sim;  ///< CPMS <mem2>
    bool text_mode = false;        ///< +CMGF: 1
    bool full_function = true;     ///< +CFUN: 1
};

struct Preferences {
    GeneralPreferences general = {};
    SmsPreferences sms = {};
    VolatilePreferences now = {};
};

}  // namespace smsrack::modem_sim
