# The variables that the vendor's file sets, for the folder that it stands in.
root="$(cd "$(dirname "${BASH_SOURCE:-$0}")" && pwd)"
export ASCEND_HOME_PATH="$root"
export ASCEND_TOOLKIT_HOME="$root"
export ASCEND_OPP_PATH="$root/opp"
export PATH="$root/bin:$PATH"
export LD_LIBRARY_PATH="$root/lib64:$LD_LIBRARY_PATH"
export PYTHONPATH="$root/python:$PYTHONPATH"
