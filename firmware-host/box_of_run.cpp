#include "firmware-host/box_of_run.hpp"

#include "db/engine/disk_room.hpp"
#include "db/engine/migrate.hpp"
#include "firmware-host/system/proc_figures.hpp"
#include "src/config/settings_show.hpp"

namespace smsrack::host {

ports::BoxFacts BoxOfRun::facts() const {
    const std::string& folder = run_.settings.service.state_dir;
    ports::BoxFacts facts{.schema = static_cast<int>(db::migrations().size()),
                          .state_dir = folder,
                          .disk = db::disk_room(folder),
                          .clock_waits = run_.clock.waits()};
    read_figures("/", facts);
    return facts;
}

std::string BoxOfRun::configuration() const {
    return config::settings_as_toml(run_.settings);
}

}  // namespace smsrack::host
