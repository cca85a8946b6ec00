<?php
defined('IN_CODE') or die('This script can not be run by itself.');
$territoryRawData=array(
	array('Alp', 'Land', 'Yes', 1, 50, 150, 25, 75),
	array('Dun', 'Coast', 'Yes', 0, 150, 150, 75, 75),
	array('Dun (North Coast)', 'Coast', 'No', 0, 150, 110, 75, 55),
	array('Dun (South Coast)', 'Coast', 'No', 0, 150, 190, 75, 95),
	array('Cap', 'Coast', 'Yes', 2, 300, 150, 150, 75),
	array('Bay', 'Sea', 'No', 0, 250, 50, 125, 25),
	array('Ode', 'Sea', 'No', 0, 250, 250, 125, 125)
);
foreach($territoryRawData as $territoryRawRow) {
	list($name, $type, $supply, $countryID, $x, $y, $sx, $sy)=$territoryRawRow;
	new InstallTerritory($name, $type, $supply, $countryID, $x, $y, $sx, $sy);
}
$bordersRawData=array(
	array('Alp','Dun','No','Yes'),
	array('Dun','Cap','No','Yes'),
	array('Dun (North Coast)','Bay','Yes','No'),
	array('Dun (North Coast)','Cap','Yes','No'),
	array('Dun (South Coast)','Ode','Yes','No'),
	array('Dun (South Coast)','Cap','Yes','No'),
	array('Cap','Bay','Yes','No'),
	array('Cap','Ode','Yes','No'), // and the seas
	array('Bay','Ode','Yes','No')
);
?>
